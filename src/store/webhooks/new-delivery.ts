/** A new delivery in SQL: for statements that insert or replay deliveries. */

/** The saved state of its machine. A test compares it with a new delivery of src/webhooks. */
export const FRESH_RUN = {
  value: 'pending',
  context: { failures: 0, why: 'not sent yet', retryInMs: 0 },
  status: 'active',
  due: [],
} as const

/** Values for `state`, `why` and `saved` of `deliveries`, in this order; `next_at_ms` is the instant of the request. */
export const FRESH = `'${FRESH_RUN.value}', '${FRESH_RUN.context.why}', '${JSON.stringify(FRESH_RUN)}'::jsonb`
