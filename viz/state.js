/**
 * What the page knows of the session, and how messages change it.  No DOM here.
 *
 * @typedef {import("./types.js").Session} Session
 * @typedef {import("./types.js").Moment} Moment
 */

/** @returns {Session} */
export function emptySession() {
  return {
    program: "",
    sources: [],
    moments: new Map(),
    order: [],
    here: null,
    pinned: null,
    busy: null,
    waits: false,
    asked: false,
    entries: [],
    output: "",
    checkpoints: [],
    repair: null,
    question: null,
    drives: true,
    forgotten: 0,
    live: true,
    link: "waiting",
  };
}

/**
 * Take one message of the server in.
 * @param {Session} session  changed in place
 * @param {any} message
 */
export function applyMessage(session, message) {
  switch (message.kind) {
    case "hello":
      greet(session, message);
      break;
    case "moment":
      addMoment(session, message.moment);
      break;
    case "here":
      session.here = message.here;
      if (session.pinned === session.here) session.pinned = null;
      break;
    case "entry":
      session.entries = [...session.entries, message.entry];
      break;
    case "busy":
      session.busy = message.busy;
      if (session.busy === null) session.asked = false;
      break;
    case "waits":
      session.waits = message.waits;
      if (session.waits) session.asked = true;
      break;
    case "repair":
      session.repair = message.repair;
      break;
    case "question":
      session.question = message.question;
      break;
    case "output":
      session.output += message.text;
      break;
    case "checkpoints":
      session.checkpoints = message.list;
      break;
    default: // a newer server may say more
  }
}

/**
 * Everything anew; only the stop that is looked at stays, if it is still there.
 * @param {Session} session
 * @param {any} hello
 */
function greet(session, hello) {
  session.moments = new Map();
  session.order = [];
  for (const moment of hello.moments) addMoment(session, moment);
  session.program = hello.program;
  session.sources = hello.sources;
  session.here = hello.here;
  session.busy = hello.busy;
  session.waits = hello.waits;
  session.asked = hello.waits;
  session.entries = hello.entries;
  session.output = hello.output;
  session.checkpoints = hello.checkpoints;
  session.repair = hello.repair;
  session.question = hello.question;
  session.drives = hello.drives;
  session.forgotten = hello.forgotten;
  session.live = hello.live;
  if (session.pinned === session.here || !session.moments.has(session.pinned ?? -1)) session.pinned = null;
}

/**
 * @param {Session} session
 * @param {Moment} moment
 */
function addMoment(session, moment) {
  if (!session.moments.has(moment.number)) {
    session.order = [...session.order, moment.number].sort((a, b) => a - b);
  }
  session.moments.set(moment.number, moment);
}

/**
 * The moment that the page shows: the one looked at, else the one at which the process stands.
 * @param {Session} session
 * @returns {Moment | null}
 */
export function viewedMoment(session) {
  const number = session.pinned ?? session.here;
  return number === null ? null : (session.moments.get(number) ?? null);
}

/**
 * Whether the page shows something else than the present of a running session.
 * @param {Session} session
 */
export function isPast(session) {
  return session.live && session.pinned !== null && session.pinned !== session.here;
}

/**
 * Whether commands reach the session.
 * @param {Session} session
 */
export function mayCommand(session) {
  return session.live && session.drives && session.link === "open";
}

/**
 * Whether what is seen may be edited and stepped now.
 * @param {Session} session
 */
export function mayAct(session) {
  return mayCommand(session) && !isPast(session);
}

/**
 * What the program asks: the line of its output that has no end yet, "" when it has.
 * @param {Session} session
 */
export function askedWords(session) {
  return session.output.slice(session.output.lastIndexOf("\n") + 1).trim();
}

/**
 * The moments from one, by default the present, back to the first one of its run, that one first.
 * @param {Session} session
 * @param {number | null} from
 * @returns {number[]}
 */
export function pathToRoot(session, from = session.here) {
  /** @type {number[]} */
  const path = [];
  let at = from;
  while (at !== null && session.moments.has(at) && !path.includes(at)) {
    path.push(at);
    at = session.moments.get(at)?.parent ?? null;
  }
  return path;
}

/**
 * The command that brings the process to a stop, null where there is none: `resume` for a checkpoint, `back` for
 * a stop on the way that led here.
 * @param {Session} session
 * @param {number} number
 * @returns {string | null}
 */
export function resumeCommand(session, number) {
  const moment = session.moments.get(number);
  if (moment === undefined || number === session.here) return null;
  if (moment.resumable && moment.checkpoint !== null) return `resume ${moment.checkpoint}`;
  const steps = pathToRoot(session).indexOf(number);
  return steps > 0 ? `back ${steps}` : null;
}

/**
 * The position of the stop that is seen among all stops, from 1; 0 when there is none.
 * @param {Session} session
 */
export function viewedRank(session) {
  const moment = viewedMoment(session);
  return moment === null ? 0 : session.order.indexOf(moment.number) + 1;
}

/**
 * Where a recorded session opens: at its last stop, or at the one before the end of the program, which has no heap.
 * @param {Session} session
 * @returns {number | null}
 */
export function openingStop(session) {
  const path = pathToRoot(session);
  const last = session.here === null ? undefined : session.moments.get(session.here);
  if (last === undefined || last.alive) return null;
  return path.find((number) => session.moments.get(number)?.alive) ?? null;
}
