/**
 * Runs what the other tabs of this browser would do at the same moment, if none of them does it already (Web Locks).
 * Where the page is not secure the browser has no such locks, and every tab runs it.
 */
export function inOneTab(name: string, run: () => Promise<unknown>): void {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks) void locks.request(name, { ifAvailable: true }, (lock) => (lock ? run() : undefined))
  else void run()
}
