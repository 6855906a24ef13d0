import { SESSION_RING_TIMEOUT_MS } from './agent-session-state.ts'

/** How often and how long, of a logged-in agent's session. Our choices, where a line names no other reason. */
export const LIMITS = {
  /** The switch ends a ringing leg by itself; our own timer is a little longer, in case it does not. */
  ringMs: SESSION_RING_TIMEOUT_MS + 2_000,
  holdMs: 5_000,
  /** A fresh leg beside the old one: a browser answers at once, or not at all. */
  renewMs: 5_000,
  /** A page that is loaded again has called for a fresh leg by then; music begins 0.7 s after a closed page. */
  doubtMs: 600,
  /** In a row; a page that is loaded again and again must not keep a callee in silence. */
  renewals: 3,
  /** Delay before each call to a phone that was lost: none at first, then growing. */
  backOffMs: [0, 1_000, 3_000, 9_000] as readonly number[],
  /** A call that the switch did not take leaves so many tries behind it, at the most. */
  unsentTries: 2,
  /** It is made again after this, then after twice as long, and so on. */
  unsentFirstMs: 1_000,
  /** Whoever waits for a switch that is back is called soon. */
  unsentLongestMs: 8_000,
  /** After so long a phone counts as steady: the next loss begins to count anew. */
  steadyMs: 30_000,
  hangUpRetryMs: 5_000,
  hangUps: 3,
  screenAwayMs: 15_000,
  screenGoneMs: 10 * 60_000,
  readyMs: 12 * 3_600_000,
  /** Longer than any line rings. */
  askedMs: 3 * 60_000,
  reservedMs: 10 * 60_000,
  briefingMs: 20_000,
  /**
   * A bridge is up within milliseconds. The session alone decides whether agent and party are together. A dumb phone is
   * down by then: the switch has not brought whoever is not together with a phone that is up.
   */
  connectMs: 1_800,
  failures: 2,
  /** An attempt ends after 4 h (F-F13); a conversation with a caller has no other limit. */
  talkMs: 4 * 3_600_000 + 5 * 60_000,
  /** As long as the words that the callee hears meanwhile. A phone that answers by itself is back by then. */
  aloneMs: 2_000,
} as const
