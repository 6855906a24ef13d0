import type { CaseLookup } from '../../ports/directory.ts'
import type { Step } from '../model/flow.ts'
import { fillTree } from '../model/scope.ts'
import { render, renderUrl, type Template } from '../model/template.ts'
import { lookUp } from '../model/variable-path.ts'
import { httpMachine } from './http.machine.ts'
import type { Begun, Scene } from './step-messages.ts'
import type { StepEnd } from './step-talk.ts'

/** http: fills in address, headers and body; secrets stay `${secret.…}` until the adapter sends the request. */
export function beginHttp({ spec }: Extract<Step, { kind: 'http' }>, scene: Scene): Begun {
  const { scope, language } = scene
  const asked: Address =
    'url' in spec.to ? renderUrl(spec.to.url, scope, { language }) : addressOfCase(spec.to.caseNumber, scene)
  if ('end' in asked) return { ended: asked }
  if (!asked.ok) return malformed(asked.why)
  const { lookup = {} as Partial<CaseLookup> } = asked
  const written = { ...spec.headers, ...(spec.auth && { authorization: spec.auth }) }
  const headers = renderAll(written, scope, language)
  if (!headers.ok) return malformed(headers.why)
  const match = renderAll(spec.match, scope, language)
  if (!match.ok) return malformed(match.why)
  const body = spec.body === undefined ? undefined : fillTree(spec.body, scope, language)
  if (body && !body.ok) return malformed(body.why)
  const { method, filler, required } = spec
  const timeoutMs = Math.min(spec.timeoutMs, lookup.timeoutMs ?? spec.timeoutMs)
  const retries = method === 'GET' ? spec.retry : 0
  return {
    machine: httpMachine,
    input: { timeoutMs, retries, filler, expectation: { required, match: match.texts } },
    errand: {
      ask: {
        method,
        url: asked.text,
        headers: withSecret(headers.texts, lookup),
        timeoutMs,
        ...(body && { body: body.value }),
      },
    },
  }
}

type Address =
  | { readonly ok: true; readonly text: string; readonly lookup?: CaseLookup }
  | { readonly ok: false; readonly why: string }
  | (StepEnd & { readonly end: 'unavailable' })

/** The address of a case: at the system of the caller's task if it is their case, else at that of the called number. */
function addressOfCase(caseNumber: Template, { scope, language, lookups = {} }: Scene): Address {
  const asked = render(caseNumber, scope, { language })
  if (!asked.ok) return asked
  const isOfTask = asked.text === lookUp(['task', 'systemLookupCode'], scope)
  const lookup = isOfTask ? lookups.task : (lookups.number ?? lookups.task)
  if (!lookup?.urlTemplate.includes(PLACE)) {
    return { end: 'unavailable', why: 'the external system of the call has no lookup address for a case' }
  }
  const url = renderUrl(caseUrl(lookup.urlTemplate), { caseNumber: asked.text }, { language })
  return url.ok ? { ...url, lookup } : url
}

const PLACE = '{caseNumber}'
const CASE_NUMBER = { kind: 'value', path: { text: 'caseNumber', parts: ['caseNumber'] }, filter: null } as const

function caseUrl(source: string): Template {
  const texts = source.split(PLACE).map((text) => ({ kind: 'text', text }) as const)
  const parts = texts.flatMap((text, index) => (index === 0 ? [text] : [CASE_NUMBER, text]))
  return { source, parts, paths: [CASE_NUMBER.path] }
}

/** The headers with that of the system's secret, unless the step has its own of the name. */
function withSecret(headers: Record<string, string>, lookup: Partial<CaseLookup>): Record<string, string> {
  const { authHeaderName = 'authorization', authSecretRef } = lookup
  const isTheirs = Object.keys(headers).some((name) => name.toLowerCase() === authHeaderName.toLowerCase())
  if (authSecretRef === undefined || isTheirs) return headers
  return { ...headers, [authHeaderName]: `\${secret.${authSecretRef}}` }
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
