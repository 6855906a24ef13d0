/** The only reader of this computer's clock in the console. What it shows may be wrong: see `ServerTime`. */
export const browserClock = {
  nowMs: () => Date.now(),
  /** Runs `action` once at `atMs`; in a page that nobody sees up to a second later. */
  schedule(atMs: number, action: () => void): { cancel(): void } {
    const timer = setTimeout(action, Math.max(0, atMs - Date.now()))
    return { cancel: () => clearTimeout(timer) }
  },
}
