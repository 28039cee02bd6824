/**
 * The heap as it is shown: keeps the elements of what stays, moves what has moved, and takes the focus.
 *
 * @typedef {import("./types.js").Picture} Picture
 * @typedef {import("./atoms.js").Atom} Atom
 */
import { nodeAtoms, neighbour } from "./atoms.js";
import { Camera } from "./camera.js";
import { svg } from "./dom.js";
import { foldPicture } from "./fold.js";
import { between } from "./geometry.js";
import { ghostArrows } from "./ghosts.js";
import { spreadLanes } from "./lanes.js";
import { Motion } from "./motion.js";
import { drawArrow, drawNode, drawVariable, moved, routeArrow } from "./scene.js";

const RICH_LIMIT = 300; // arrows; above it they go without halos
const MOVING_LIMIT = 600; // elements; above it pictures change at once
const DETAIL_LIMIT = 250; // nodes; above it only those in sight are drawn with their cells

/**
 * @typedef {{element: SVGElement, signature: string, x: number, y: number, data: any}} Drawn
 */

export class HeapView {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane;
    this.layers = { ghosts: svg("g"), nodes: svg("g"), arrows: svg("g"), variables: svg("g"), over: svg("g") };
    this.stage = svg("g", { class: "stage" }, ...Object.values(this.layers));
    this.root = svg("svg", { class: "scene", role: "group", "aria-label": "Heap" }, this.stage);
    pane.prepend(this.root);
    this.camera = new Camera(pane, this.stage);
    this.camera.listen();
    this.camera.onMove = () => this.refine();
    this.refining = false;
    this.motion = new Motion();
    /** @type {Map<string, Drawn>} */
    this.nodes = new Map();
    /** @type {Map<string, Drawn>} */
    this.variables = new Map();
    /** @type {Map<string, Drawn>} */
    this.arrows = new Map();
    /** @type {Set<string>} */
    this.folded = new Set();
    /** @type {Atom[]} */
    this.atoms = [];
    /** @type {WeakMap<Element, Atom>} */
    this.atomOf = new WeakMap();
    /** @type {Picture | null} */
    this.given = null;
    /** @type {Picture | null} */
    this.earlier = null;
    /** @type {Picture | null} as drawn: folded, with ghosts */
    this.picture = null;
    /** @type {string | null} */
    this.focusKey = null;
    /** Called when nodes were folded or unfolded. */
    this.onFold = () => {};
    this.root.addEventListener("keydown", (event) => this.onKey(/** @type {KeyboardEvent} */ (event)));
    this.root.addEventListener("focusin", (event) => this.onFocus(/** @type {Element} */ (event.target)));
    this.root.addEventListener("dblclick", (event) => {
      const node = this.atomAt(event.target)?.node;
      if (node) this.toggleFold(node.name);
    });
    this.root.addEventListener("click", (event) => {
      const on = /** @type {Element} */ (event.target);
      const node = on.matches(".fold-sign, .folded .word") ? this.atomAt(on)?.node : null;
      if (node) this.toggleFold(node.name);
    });
    for (const type of ["pointerover", "focusin"]) this.root.addEventListener(type, (event) => this.light(event.target));
    for (const type of ["pointerleave", "focusout"]) this.root.addEventListener(type, () => this.light(null));
  }

  /**
   * @param {Picture} picture
   * @param {Picture | null} earlier  the one before it, for the ghosts of arrows
   * @param {boolean} animate
   */
  show(picture, earlier, animate) {
    this.given = picture;
    this.earlier = earlier;
    const ghosts = ghostArrows(picture, earlier);
    const seen = foldPicture({ ...picture, arrows: spreadLanes([...ghosts, ...picture.arrows]) }, this.folded);
    this.picture = seen;
    const focused = this.root.contains(document.activeElement);
    this.motion.finish();
    this.camera.settle(picture, animate); // first: how large it is decides whether texts have to be laid out
    /** @type {((share: number) => void)[]} */
    const steps = [];
    this.showNodes(seen.nodes, steps);
    this.showBoxes(this.variables, this.layers.variables, seen.variables, (chip) => chip.place, () => false, drawVariable, steps);
    this.showArrows(seen.arrows, steps);
    this.collectAtoms(focused);
    this.motion.run(steps, animate && steps.length <= MOVING_LIMIT);
  }

  /**
   * @param {import("./types.js").HeapNode[]} nodes
   * @param {((share: number) => void)[]} steps
   */
  showNodes(nodes, steps) {
    const { camera } = this;
    const coarse = nodes.length <= DETAIL_LIMIT ? () => false : (/** @type {any} */ node) => camera.far || !camera.sees(node);
    this.showBoxes(this.nodes, this.layers.nodes, nodes, (node) => node.name, coarse, drawNode, steps);
  }

  /** Another part of a large picture is in sight: draw its nodes with their cells. */
  refine() {
    if (this.refining || this.picture === null || this.picture.nodes.length <= DETAIL_LIMIT) return;
    this.refining = true;
    requestAnimationFrame(() => {
      this.refining = false;
      if (this.picture === null) return;
      /** @type {((share: number) => void)[]} */
      const steps = [];
      const focused = this.root.contains(document.activeElement);
      this.showNodes(this.picture.nodes, steps);
      for (const step of steps) step(1);
      this.collectAtoms(focused);
    });
  }

  /**
   * @param {Map<string, Drawn>} drawn
   * @param {SVGElement} layer
   * @param {any[]} wanted
   * @param {(one: any) => string} keyOf
   * @param {(one: any) => boolean} coarse
   * @param {(one: any, coarse: boolean) => SVGElement} draw
   * @param {((share: number) => void)[]} steps
   */
  showBoxes(drawn, layer, wanted, keyOf, coarse, draw, steps) {
    const gone = new Map(drawn);
    const fresh = document.createDocumentFragment();
    for (const one of wanted) {
      const key = keyOf(one);
      const old = drawn.get(key);
      gone.delete(key);
      const rough = coarse(one);
      const signature = `${rough}${boxSignature(one)}`;
      const { x, y } = one;
      if (old !== undefined && old.signature === signature) {
        old.data = one;
        if (old.x !== x || old.y !== y) this.slide(old.element, old.x, old.y, x, y, steps);
        [old.x, old.y] = [x, y];
        continue;
      }
      const element = moved(draw(one, rough), x, y);
      drawn.set(key, { element, signature, x, y, data: one });
      if (old === undefined) {
        fresh.append(element);
        if (drawn.size < MOVING_LIMIT) steps.push(fade(element, 0, 1));
      } else {
        old.element.replaceWith(element);
        if (old.x !== x || old.y !== y) this.slide(element, old.x, old.y, x, y, steps);
      }
    }
    layer.append(fresh);
    for (const [key, old] of gone) {
      drawn.delete(key);
      old.element.remove();
    }
  }

  /**
   * @param {SVGElement} element
   * @param {number} fromX
   * @param {number} fromY
   * @param {number} x
   * @param {number} y
   * @param {((share: number) => void)[]} steps
   */
  slide(element, fromX, fromY, x, y, steps) {
    steps.push((share) => moved(element, fromX + (x - fromX) * share, fromY + (y - fromY) * share));
  }

  /**
   * @param {import("./types.js").Arrow[]} wanted
   * @param {((share: number) => void)[]} steps
   */
  showArrows(wanted, steps) {
    const gone = new Map(this.arrows);
    const rich = wanted.length <= RICH_LIMIT;
    for (const arrow of wanted) {
      const ghost = arrow.marks.includes("ghost");
      const key = arrow.from === "" ? `run to ${arrow.to}` : `${ghost ? "was " : ""}${arrow.from}`;
      const signature = `${rich}|${arrow.to}|${arrow.editable}|${arrow.marks.join(" ")}`;
      const old = this.arrows.get(key);
      gone.delete(key);
      if (old !== undefined && old.signature === signature) {
        this.bend(old.element, old.data, arrow, steps);
        old.data = arrow;
        continue;
      }
      const element = drawArrow(arrow, rich);
      this.arrows.set(key, { element, signature, x: 0, y: 0, data: arrow });
      (ghost ? this.layers.ghosts : this.layers.arrows).append(element);
      if (old !== undefined) {
        old.element.remove();
        this.bend(element, old.data, arrow, steps);
      } else if (this.arrows.size < MOVING_LIMIT) steps.push(fade(element, 0, 1));
    }
    for (const [key, old] of gone) {
      this.arrows.delete(key);
      old.element.remove();
    }
  }

  /**
   * @param {SVGElement} element
   * @param {import("./types.js").Arrow} from
   * @param {import("./types.js").Arrow} to
   * @param {((share: number) => void)[]} steps
   */
  bend(element, from, to, steps) {
    if (JSON.stringify(from.points) === JSON.stringify(to.points)) return;
    const alike = Boolean(from.curve) === Boolean(to.curve);
    steps.push((share) => {
      if (share >= 1 || !alike) routeArrow(element, to.points, to.curve);
      else routeArrow(element, between(from.points, to.points, share), to.curve);
    });
  }

  /** @param {boolean} focused  whether the picture had the keyboard before it was drawn anew */
  collectAtoms(focused) {
    this.atoms = [];
    for (const { element, data } of this.variables.values()) {
      this.atoms.push({ kind: "variable", element, node: null, cell: data, rect: data });
    }
    for (const { element, data } of this.nodes.values()) this.atoms.push(...nodeAtoms(data, element));
    for (const atom of this.atoms) this.atomOf.set(atom.element, atom);
    const keep = this.atoms.find((atom) => atomKey(atom) === this.focusKey) ?? this.atoms[0];
    for (const atom of this.atoms) if (atom === keep) atom.element.setAttribute("tabindex", "0");
    if (focused && keep && this.focusKey === atomKey(keep)) /** @type {SVGElement} */ (keep.element).focus({ preventScroll: true });
  }

  /**
   * @param {EventTarget | null} target
   * @returns {Atom | null}
   */
  atomAt(target) {
    for (let at = target instanceof Element ? target : null; at !== null && at !== this.root; at = at.parentElement) {
      const atom = this.atomOf.get(at);
      if (atom !== undefined) return atom;
    }
    return null;
  }

  /** @param {Element} target */
  onFocus(target) {
    const atom = this.atomAt(target);
    if (atom === null) return;
    for (const old of this.root.querySelectorAll('[tabindex="0"]')) old.setAttribute("tabindex", "-1");
    atom.element.setAttribute("tabindex", "0");
    this.focusKey = atomKey(atom);
    this.camera.reveal(atom.rect);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const atom = this.atomAt(event.target);
    if (atom === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (direction !== undefined) {
      const next = neighbour(this.atoms, atom, /** @type {import("./atoms.js").Direction} */ (direction));
      if (next !== null) /** @type {SVGElement} */ (next.element).focus({ preventScroll: true });
    } else if (event.key === " " && atom.node !== null) this.toggleFold(atom.node.name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} name  of a node: show its title only, or all of it again */
  toggleFold(name) {
    if (!this.folded.delete(name)) this.folded.add(name);
    this.again();
  }

  again() {
    if (this.given !== null) this.show(this.given, this.earlier, true);
    this.onFold();
  }

  /** Take the keyboard: to where it was last, else to the first atom. */
  focus() {
    const atom = this.atoms.find((one) => one.element.getAttribute("tabindex") === "0") ?? this.atoms[0];
    /** @type {SVGElement | undefined} */ (atom?.element)?.focus({ preventScroll: true });
  }

  /** Fold nothing any more. */
  unfold() {
    this.folded.clear();
    this.again();
  }

  /**
   * Make the arrows of what is pointed at stand out.
   * @param {EventTarget | null} target
   */
  light(target) {
    for (const old of this.root.querySelectorAll(".lit")) old.classList.remove("lit");
    const atom = this.atomAt(target);
    if (atom === null) return;
    const places = new Set(atom.kind === "node" ? atom.node?.cells.map((cell) => cell.place) : [atom.cell?.place]);
    for (const { element, data } of this.arrows.values()) {
      const into = atom.kind === "node" && data.to === atom.node?.name;
      if (into || places.has(data.from)) element.classList.add("lit");
    }
  }
}

/** @type {WeakMap<object, string>} */
const signatures = new WeakMap();

/** @param {Atom} atom */
export function atomKey(atom) {
  return atom.kind === "node" ? `node ${atom.node?.name}` : `${atom.kind} ${atom.cell?.place}`;
}

/**
 * What the look of a box depends on, its place in the picture left out.
 * @param {any} box
 */
function boxSignature(box) {
  let known = signatures.get(box);
  if (known === undefined) {
    const { x, y, cells, ...rest } = box;
    const inside = cells?.map((/** @type {any} */ cell) => ({ ...cell, x: cell.x - x, y: cell.y - y, at: cell.at - x }));
    known = JSON.stringify([rest, inside]);
    signatures.set(box, known);
  }
  return known;
}

/**
 * @param {SVGElement} element
 * @param {number} from
 * @param {number} to
 */
function fade(element, from, to) {
  return (/** @type {number} */ share) => {
    if (share >= 1) element.removeAttribute("opacity");
    else element.setAttribute("opacity", String(from + (to - from) * share));
  };
}
