/** Caches the endpoint; asks the sign-on address again when the node fails (contract.md §5). */
export interface Endpoint {
  /** The cached endpoint, or a new one; concurrent calls share one request. */
  get(): Promise<string>
  /** Drops the cached endpoint, unless it was replaced since the failure. */
  forget(failed: string): void
}

/** `ask` calls the state operation. */
export function endpointOf(ask: () => Promise<string>): Endpoint {
  let known: string | undefined
  let asking: Promise<string> | undefined
  return {
    async get() {
      if (known !== undefined) return known
      asking ??= ask().finally(() => {
        asking = undefined
      })
      known = await asking
      return known
    },
    forget(failed) {
      if (known === failed) known = undefined
    },
  }
}
