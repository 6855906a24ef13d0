/**
 * How often and how long a test looks for a fact that will come, in a page or on a node. A limit against hanging alone,
 * as in `vitest.config.ts`: a busy machine draws a page in minutes. Where a short wait is what is asserted, the test
 * says its own.
 */
export const SOON = { interval: 50, timeout: 300_000 }
