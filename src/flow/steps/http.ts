import type { Step } from '../model/flow.ts'
import { fillTree } from '../model/scope.ts'
import { render, renderUrl, type Template } from '../model/template.ts'
import { httpMachine } from './http.machine.ts'
import type { Begun, Scene } from './step-messages.ts'

/** http: fills in address, headers and body; secrets stay `${secret.…}` until the adapter sends the request. */
export function beginHttp({ spec }: Extract<Step, { kind: 'http' }>, { scope, language }: Scene): Begun {
  const url = renderUrl(spec.url, scope, { language })
  if (!url.ok) return malformed(url.why)
  const written = { ...spec.headers, ...(spec.auth && { authorization: spec.auth }) }
  const headers = renderAll(written, scope, language)
  if (!headers.ok) return malformed(headers.why)
  const match = renderAll(spec.match, scope, language)
  if (!match.ok) return malformed(match.why)
  const body = spec.body === undefined ? undefined : fillTree(spec.body, scope, language)
  if (body && !body.ok) return malformed(body.why)
  const { method, timeoutMs, filler, required } = spec
  const retries = method === 'GET' ? spec.retry : 0
  return {
    machine: httpMachine,
    input: { timeoutMs, retries, filler, expectation: { required, match: match.texts } },
    errand: { ask: { method, url: url.text, headers: headers.texts, timeoutMs, ...(body && { body: body.value }) } },
  }
}

function malformed(why: string): Begun {
  return { ended: { end: 'malformed', why } }
}

type Texts =
  | { readonly ok: true; readonly texts: Record<string, string> }
  | { readonly ok: false; readonly why: string }

function renderAll(templates: Readonly<Record<string, Template>>, scope: Scene['scope'], language: string): Texts {
  const texts: Record<string, string> = {}
  for (const [name, template] of Object.entries(templates)) {
    const text = render(template, scope, { language })
    if (!text.ok) return text
    texts[name] = text.text
  }
  return { ok: true, texts }
}
