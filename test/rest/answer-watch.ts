/** Checks every answer of every test, as it comes over the wire, against the declaration of its operation. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { canonicalUrl } from '../../src/rest/http/canonical-path.ts'
import type { Route } from '../../src/rest/http/route.ts'
import { PROBLEM } from '../../src/rest/openapi/responses.ts'

/** An answer with JSON in it. */
export interface SeenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const problem = Compile(PROBLEM as unknown as TSchema)

/** Throws if an answer is not as declared: streams, problems and repeated answers too. */
export function answerWatch(routes: readonly Route[]): (method: string, url: string, answer: SeenAnswer) => void {
  const known = routes.map((route) => ({
    route,
    path: new RegExp(`^${route.path.replaceAll(/\{\w+\}|:\w+/g, '[^/]+')}$`),
    validators: new Map(Object.entries(route.answers).map(([status, schema]) => [status, Compile(schema)])),
  }))
  return (method, url, { status, headers, body }) => {
    if (body === undefined) return
    const told = (why: unknown) => new Error(`${method} ${url} ${status} is not as declared: ${JSON.stringify(why)}`)
    if (String(headers['content-type']).startsWith('application/problem+json')) {
      if (!problem.Check(body)) throw told(problem.Errors(body))
      return
    }
    const path = canonicalUrl(url).split('?', 1)[0] ?? ''
    const found = known.find(({ route, path: pattern }) => route.method === method && pattern.test(path))
    // Health, the document and its page have no declaration.
    if (!found) return
    const validator = found.validators.get(String(status)) ?? (status >= 400 ? found.validators.get('400') : undefined)
    if (!validator) throw told('no such status is declared')
    if (!validator.Check(body)) throw told(validator.Errors(body))
    const hasTotals = headers['svc-total-found'] !== undefined && headers['svc-total-found'] === headers['totalfound']
    if (Array.isArray(body) && status === 200 && !hasTotals) throw told('a list has both total headers (D-05)')
  }
}
