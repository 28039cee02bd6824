/**
 * Where the page begins: a recorded session when the page holds one, else the socket of the running one; the views,
 * and what connects them.
 */
import { App } from "./app.js";
import { CheckpointsView } from "./checkpoints.js";
import { buildControls, listenToKeys } from "./controls.js";
import { DockView } from "./dock.js";
import { byId, el } from "./dom.js";
import { Editing } from "./editing.js";
import { closeEditor } from "./editor.js";
import { showFacts } from "./facts.js";
import { HeapView } from "./heap.js";
import { buildHelp } from "./help.js";
import { showLegend } from "./legend.js";
import { Link } from "./link.js";
import { LogView, buildPrompt } from "./log.js";
import { SourceView } from "./source.js";
import { SpeechView } from "./speech.js";
import { buildSplits } from "./split.js";
import { isPast, mayAct, openingStop, viewedMoment, viewedRank } from "./state.js";
import { buildTabs, showPanel } from "./tabs.js";
import { buildTheme, toggleTheme } from "./theme.js";
import { PastView, TimelineView, momentWords } from "./timeline.js";
import { VariablesView } from "./variables.js";

const SHORT = 8; // characters of a program's name that find room beside ours on a narrow screen

const app = new App();

/**
 * The heap, its title and legend.
 * @param {HeapView} heap
 * @param {() => void} hideFacts
 */
function showHeap(heap, hideFacts) {
  /** @type {import("./types.js").Moment | null} */
  let shown = null;
  app.show((session) => {
    const moment = viewedMoment(session);
    const title = byId("stop-title");
    title.textContent = moment === null ? "" : `${isPast(session) ? "old " : ""}stop ${viewedRank(session)} · ${momentWords(moment)}`;
    title.classList.toggle("crashed", moment !== null && moment.signal !== "");
    if (moment === shown || moment === null) return;
    const earlier = moment.parent === null ? null : (session.moments.get(moment.parent)?.picture ?? null);
    const steps = app.motionWanted && session.pinned === null && shown !== null;
    closeEditor();
    hideFacts();
    heap.show(moment.picture, earlier, steps);
    showLegend(heap.picture);
    shown = moment;
  });
}

/**
 * What was told of a program that has ended, besides that it has: what it used after it was freed, say.
 * @param {import("./types.js").Session} session
 * @param {string} end  the words that say so
 */
function toldAtTheEnd(session, end) {
  const entry = session.entries.findLast((one) => one.texts.includes(end));
  return entry === undefined ? [] : entry.texts.slice(entry.texts.indexOf(end) + 1);
}

/** What stands in an empty heap: why it is empty, and the way to begin. */
function showEmpty() {
  const box = byId("heap-empty");
  let shown = "";
  app.show((session) => {
    const moment = viewedMoment(session);
    const { nodes, variables } = moment?.picture ?? { nodes: [], variables: [] };
    const begun = session.waits ? "The program waits for input." : session.busy === "resume" ? "The program is running." : "";
    const none = begun || (moment?.text ?? "The program has not been started.");
    const words = moment === null || !moment.alive ? none : "Nothing is allocated, and there are no variables yet.";
    const startable = mayAct(session) && begun === "" && !(moment?.alive ?? false);
    const told = moment === null || moment.alive || isPast(session) ? [] : toldAtTheEnd(session, moment.text);
    const key = nodes.length + variables.length > 0 ? "" : JSON.stringify([words, startable, session.link === "waiting", told]);
    if (key === shown) return;
    shown = key;
    box.hidden = key === "" || session.link === "waiting";
    const names = told.length > 0 ? ["repair", "start", "run"] : ["start", "run"];
    const buttons = names.map((name, index) => el("button", { type: "button", class: index === 0 ? "strong" : null, onclick: () => app.command(name) }, name));
    box.replaceChildren(el("p", {}, words), ...told.map((text) => el("p", { class: "told" }, text)), el("p", {}, ...(startable ? buttons : [])));
  });
}

/** @param {HeapView} heap */
function buildViewTools(heap) {
  const { camera } = heap;
  const larger = () => camera.zoomBy(1.25);
  const smaller = () => camera.zoomBy(0.8);
  const all = () => camera.fit();
  byId("zoom-in").addEventListener("click", larger);
  byId("zoom-out").addEventListener("click", smaller);
  byId("zoom-fit").addEventListener("click", all);
  const unfold = byId("unfold");
  unfold.addEventListener("click", () => heap.unfold());
  heap.onFold = () => {
    unfold.hidden = heap.folded.size === 0;
  };
  return { "+": larger, "=": larger, "-": smaller, 0: all };
}

const BUSY_PAUSE = 250; // milliseconds that a command may take before the page says that it runs

const BUSY_WORDS = { resume: "running", repair: "searching for a repair", localize: "searching for suspects" };

/** The state of the connection, what runs, and the program's name. */
function showLink() {
  const words = { waiting: "connecting", open: "live", lost: "connection lost, trying again", over: "session ended" };
  const box = byId("link");
  let timer = 0;
  /** @param {string} look @param {string} text */
  const say = (look, text) => {
    box.className = `link ${look}`;
    if (box.textContent !== text) box.textContent = text;
  };
  app.show((session) => {
    window.clearTimeout(timer);
    const { live, link, drives, busy, waits } = session;
    if (live) say(link, link === "open" && !drives ? "live, watching" : words[link]);
    else say("replay", "recorded session");
    if (live && link === "open" && waits) say("open wants", "waits for input");
    else if (live && link === "open" && busy !== null) timer = window.setTimeout(() => say("open busy", `${BUSY_WORDS[/** @type {keyof BUSY_WORDS} */ (busy)] ?? busy} …`), BUSY_PAUSE);
    const program = byId("program");
    program.textContent = program.title = session.program;
    document.body.classList.toggle("long-name", session.program.length > SHORT);
    document.title = session.program === "" ? "Wolverine" : `${session.program} · Wolverine`;
  });
}

function connect() {
  const recorded = document.getElementById("session");
  if (recorded !== null) {
    app.session.link = "over";
    app.receive({ kind: "hello", ...JSON.parse(recorded.textContent ?? "{}"), live: false, drives: false });
    app.look(openingStop(app.session));
    return;
  }
  const address = new URL("ws", window.location.href.replace(/^http/, "ws")).href;
  const link = new Link(address, (message) => app.receive(message), (state) => app.connect(state));
  app.sender = (message) => link.send(message);
}

function start() {
  buildTheme();
  buildTabs();
  buildSplits();
  const heap = new HeapView(byId("heap"));
  const tools = buildViewTools(heap);
  const editing = new Editing(app, heap);
  showHeap(heap, showFacts(heap));
  showEmpty();
  const timeline = new TimelineView(app);
  const views = [
    new SourceView(),
    new VariablesView((anchor, variable) => editing.openVariable(anchor, variable)),
    new CheckpointsView(app),
    new LogView(),
    timeline,
    new PastView(app),
    new DockView(app),
    new SpeechView(),
  ];
  for (const view of views) app.show((session) => view.update(session));
  buildControls(app);
  buildPrompt(app);
  showLink();
  const openHelp = buildHelp(app);
  listenToKeys(app, {
    ...tools,
    ArrowLeft: () => timeline.move(-1),
    ArrowRight: () => timeline.move(1),
    Home: () => timeline.move(-Infinity),
    End: () => timeline.toEnd(),
    Escape: () => {
      closeEditor();
      if (app.session.live) timeline.toEnd();
    },
    " ": () => timeline.togglePlay(),
    b: () => app.resume(),
    g: () => heap.focus(),
    t: toggleTheme,
    "?": openHelp,
    ":": () => byId("command-line").focus(),
    "/": () => byId("command-line").focus(),
  });
  byId("command-line").addEventListener("focus", () => showPanel(app.session.asked ? "output" : "log"));
  connect();
}

start();
