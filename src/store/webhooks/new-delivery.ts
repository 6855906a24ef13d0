/** A new delivery in SQL: statements insert the rows, for a new event as for a replay. */

/** How its machine is saved; the webhooks' own words. A test holds this to be what they make of a new delivery. */
export const FRESH_RUN = {
  value: 'pending',
  context: { failures: 0, why: 'not sent yet', retryInMs: 0 },
  status: 'active',
  due: [],
} as const

/** Values for `state`, `why` and `saved` of `deliveries`, in this order; `next_at_ms` is the instant of the request. */
export const FRESH = `'${FRESH_RUN.value}', '${FRESH_RUN.context.why}', '${JSON.stringify(FRESH_RUN)}'::jsonb`
