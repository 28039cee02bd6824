/**
 * What the server tells the page, and what the page keeps of it: types only, nothing runs here.
 *
 * The server's side of the same objects is `wolverine/page/protocol.py`, which decides where the two differ.
 * Lengths are CSS pixels, y grows downwards, and all coordinates of a picture share one origin.
 *
 * @typedef {[number, number]} Point
 *
 * @typedef {object} Cell  a field of a node or an element of an array
 * @property {string} place  as `change` takes it: `n4->prev`, `head`, `reverse::current`
 * @property {string} label
 * @property {string} type
 * @property {string} text  the value as the terminal shows it
 * @property {boolean} pointer
 * @property {string[]} marks  changed, null, uninitialised, dangling, wild, hidden
 * @property {boolean} editable
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} at  where the text begins
 * @property {string} address
 * @property {number} size  bytes
 * @property {string | null} was  the text before this stop, where it changed
 *
 * @typedef {Cell & {written: boolean}} Chip  a variable (without `at`); a written one reads `label = text`
 *
 * @typedef {object} HeapNode
 * @property {string} name
 * @property {string} title
 * @property {string} value  what `change PLACE` takes to point here; "" for a run of nodes that are not drawn
 * @property {string} type
 * @property {"live" | "freed" | "lost" | "variable" | "run"} state
 * @property {string[]} marks  added
 * @property {string} address
 * @property {number} size  bytes
 * @property {string} allocated  file:line
 * @property {string} freed  file:line
 * @property {Cell[]} cells
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} [folded]  set by the page: so many nodes are hidden behind this one
 *
 * @typedef {object} Arrow
 * @property {string} from  a place
 * @property {string} to  a node's name
 * @property {string[]} marks  changed, dangling, faded, implied, run; the page adds ghost
 * @property {boolean} editable
 * @property {Point[]} points  corners, or with `curve` the control points of a Bezier curve
 * @property {boolean} [curve]
 *
 * @typedef {object} Picture
 * @property {number} x  of the left upper corner; boxes that stay keep their coordinates from stop to stop
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} hidden  nodes that are not drawn
 * @property {string[]} [buried]  others: freed earlier, and nothing leads there
 * @property {HeapNode[]} nodes
 * @property {Chip[]} variables
 * @property {Arrow[]} arrows
 *
 * @typedef {object} FrameVariable
 * @property {string} place
 * @property {string} name
 * @property {string} type
 * @property {string} text
 * @property {boolean} changed
 * @property {boolean} editable
 *
 * @typedef {object} Frame
 * @property {string} function
 * @property {string} file
 * @property {number} line
 * @property {FrameVariable[]} variables
 *
 * @typedef {object} Moment  a stop and everything that there is to see at it
 * @property {number} number
 * @property {number | null} parent
 * @property {string} reason
 * @property {string} file
 * @property {number} line
 * @property {string} function
 * @property {string} text
 * @property {string} signal
 * @property {boolean} alive
 * @property {number | null} checkpoint
 * @property {boolean} resumable
 * @property {Frame[]} frames
 * @property {number} hidden_frames
 * @property {FrameVariable[]} globals
 * @property {string[]} assertions
 * @property {Picture} picture
 * @property {string[]} description
 * @property {string} patch  a unified diff against the source as given, or ""
 *
 * @typedef {{command: string, texts: string[], error: string | null}} Entry
 * @typedef {{checkpoint: number, parent: number | null, moment: number | null, file: string, line: number,
 *            function: string, dropped: boolean}} Checkpoint
 * @typedef {{kind: string, line: number, before: string, after: string}} Edit
 * @typedef {{rank: number, accepted: boolean, cost: number, behaviour: number, edits: Edit[], crash: string,
 *            before: Picture | null, after: Picture | null}} Alternative
 * @typedef {{moment: number, seconds: number, cost: number, applied: string, patch: string, edits: Edit[],
 *            doubts: string[], notes: string[], total: number, behaviours: number, alternatives: Alternative[]}} Repair
 * @typedef {{function: string, input: Picture, results: {picture: Picture, crash: string, unchanged: boolean, output: string}[]}} Question
 * @typedef {{file: string, text: string}} Source
 *
 * @typedef {object} Session  all that the page knows
 * @property {string} program
 * @property {Source[]} sources
 * @property {Map<number, Moment>} moments
 * @property {number[]} order  the moments' numbers, ascending
 * @property {number | null} here  where the process stands
 * @property {number | null} pinned  the stop that is looked at, null to follow the process
 * @property {string | null} busy
 * @property {boolean} waits  whether the program waits for a line of input
 * @property {boolean} asked  whether it has waited during this command: then lines are for it
 * @property {Entry[]} entries
 * @property {string} output
 * @property {Checkpoint[]} checkpoints
 * @property {Repair | null} repair
 * @property {Question | null} question
 * @property {boolean} drives  whether commands are taken
 * @property {number} forgotten  so many of the earliest stops are no longer kept
 * @property {boolean} live  false in an exported file
 * @property {"waiting" | "open" | "lost" | "over"} link
 */

export {};
