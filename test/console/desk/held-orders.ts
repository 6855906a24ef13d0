/** Orders on their way from a page to the node, for tests of slow networks. */
import type { Page } from 'playwright-core'

const ORDERS = '**/agents/me/orders'

/** As a page sends it. */
export interface Order {
  readonly type: string
  readonly itcaId?: number
  readonly digits?: string
  readonly userName?: string
  readonly callId?: string
}

/** Orders of the page, by their types and what they say; those that `holds` wait until they are let go. */
export async function heldOrders(page: Page, holds: (order: Order) => boolean) {
  const asked: Order[] = []
  const passed: Promise<void>[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(ORDERS, async (route) => {
    const order = route.request().postDataJSON() as Order
    asked.push(order)
    const going = (holds(order) ? promise : Promise.resolve()).then(() => route.continue())
    passed.push(going)
    await going
  })
  return {
    asked,
    /** Whatever the page has sent before is in `asked` then: requests of a page are told in their order. */
    all: () => page.evaluate("fetch('/rest/core/session', { headers: { 'svc-console': '1' } }).then(() => {})"),
    letGo: resolve,
    async end() {
      resolve()
      await Promise.all(passed)
      await page.unroute(ORDERS)
    },
  }
}
