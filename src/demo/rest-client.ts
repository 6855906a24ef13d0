/** The integrator's side of REST, as small as it can be: state, then everything at the endpoint (Interface §5). */

/** The three values of a credential. */
export interface Credential {
  readonly tokenv2: string
  readonly rcntrl: string
  readonly ccntrl: string
}

/** What came back. `body` is what the JSON said; undefined where there was none. */
export interface RestAnswer {
  readonly status: number
  readonly body: unknown
}

/** Speaks to one installation with one credential. */
export interface RestClient {
  readonly endpoint: string
  call(method: string, path: string, body?: unknown): Promise<RestAnswer>
  /** The same, for what must work: throws with the answer's own words when it does not. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** Asks the sign-on side for the endpoint, and speaks to that from then on. */
export async function restClient(ssoUrl: string, credential: Credential): Promise<RestClient> {
  const headers = { ...credential, 'content-type': 'application/json' }
  const state = await fetch(`${ssoUrl}/rest/api/state`, { headers })
  if (!state.ok) throw new Error(`${ssoUrl}/rest/api/state answered ${state.status}`)
  const { endpoint } = (await state.json()) as { endpoint: string }
  const call = async (method: string, path: string, body?: unknown): Promise<RestAnswer> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${endpoint}${path}`, { method, headers, ...sent })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    endpoint,
    call,
    async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await call(method, path, body)
      if (answer.status < 300) return answer.body as T
      const { statusText, detail } = (answer.body ?? {}) as { statusText?: string; detail?: string }
      throw new Error(`${method} ${path} answered ${answer.status}: ${statusText ?? detail ?? 'no reason'}`)
    },
  }
}
