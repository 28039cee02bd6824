/** Movement over 300 ms; at once where the reader wants no motion or does not look. */

const DURATION = 300; // milliseconds
const quiet = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  constructor() {
    /** @type {((share: number) => void)[]} */
    this.steps = [];
    this.frame = 0;
  }

  /**
   * Call every step with shares that grow from 0 to 1; a movement under way ends first.
   * @param {((share: number) => void)[]} steps
   * @param {boolean} animate  false: end it at once
   */
  run(steps, animate) {
    this.finish();
    this.steps = steps;
    if (!animate || quiet.matches || document.hidden || steps.length === 0) {
      this.finish();
      return;
    }
    /** @type {number | null} */
    let start = null;
    const advance = (/** @type {number} */ now) => {
      start ??= now;
      const time = Math.min(1, (now - start) / DURATION);
      const share = 1 - (1 - time) ** 3;
      if (time >= 1) this.finish();
      else {
        for (const step of this.steps) step(share);
        this.frame = requestAnimationFrame(advance);
      }
    };
    for (const step of steps) step(0);
    this.frame = requestAnimationFrame(advance);
  }

  /** Be at the end now. */
  finish() {
    cancelAnimationFrame(this.frame);
    const steps = this.steps;
    this.steps = [];
    for (const step of steps) step(1);
  }
}
