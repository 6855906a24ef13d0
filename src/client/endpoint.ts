/** Where requests go: asked of the sign-on address once, and again when the node does not answer (contract.md §5). */

/** Knows the endpoint, and forgets it. */
export interface Endpoint {
  /** The one that is known; asked for when none is. Many who ask at once ask together. */
  get(): Promise<string>
  /** What `failed` said was no good: the next `get` asks again, unless somebody did so meanwhile. */
  forget(failed: string): void
}

/** `ask` carries out the state operation. */
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
