/** Stop lists of a corporation: numbers and customers that must not be called (D-07, 202 and 203). Our addition. */
import { type TProperties, type TSchema, Type } from 'typebox'
import { cleanText } from '../../kernel/clean-text.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { KeptStop } from '../../ports/dialer-admin-repository.ts'
import type { Stop } from '../../ports/dialer-repository.ts'
import { alsoNeeds } from '../http/also-needs.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantOut, instantText } from '../http/list-params.ts'
import {
  AFTER,
  cursorOf,
  NEXT,
  NO_CURSOR,
  PAGE_FACTS,
  PAGE_FIELDS,
  pageFacts,
  readCursor,
  readPage,
} from '../http/paging.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { Refusal, refuse } from '../http/problem-response.ts'
import { type Asker, isSupervising, PLAIN_READ, type Route, route } from '../http/route.ts'
import { readHomeNumbers } from './default-country.ts'

/** D-30. */
const ENTRIES_MAX = 1_000

interface List {
  readonly kind: Stop['kind']
  /** Last part of the path, and name of the list in bodies. */
  readonly name: 'numbers' | 'persons'
  readonly what: string
  readonly entries: TSchema
  readonly named: TProperties
  readonly entry: TProperties
  readonly example: unknown
  read(
    dependencies: RestDependencies,
    given: Readonly<Record<string, unknown>>,
    asker: Asker,
    own: CorporationId,
  ): Promise<readonly Stop[]>
  show(kept: KeptStop): object
}

const Numbers = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: ENTRIES_MAX,
  description: 'Telephone numbers in any format; a number without + belongs to the countries of the campaigns.',
})
const PERSON = {
  systemCode: Type.String({ maxLength: 64, description: 'The external system of the customer.' }),
  extCustId: Type.String({ minLength: 1, maxLength: 64, description: 'The customer in the external system.' }),
}
const TextOrNull = Type.Union([Type.String(), Type.Null()])

const NUMBERS: List = {
  kind: 'number',
  name: 'numbers',
  what: 'numbers',
  entries: Numbers,
  named: { numbers: Numbers },
  entry: { number: Type.String() },
  example: ['+4570001001'],
  read: ({ dialerAdmin }, { numbers }, asker) => readNumbers(dialerAdmin, numbers as readonly string[], asker),
  show: ({ stop }) => (stop.kind === 'number' ? { number: stop.number } : {}),
}

const PERSONS: List = {
  kind: 'person',
  name: 'persons',
  what: 'customers of external systems',
  entries: Type.Array(Type.Object(PERSON), { minItems: 1, maxItems: ENTRIES_MAX }),
  named: PERSON,
  entry: { systemCode: TextOrNull, extCustId: Type.String() },
  example: [{ systemCode: 'DEBT', extCustId: '4711' }],
  read: ({ directory }, { persons, ...one }, _asker, own) =>
    persons
      ? readPersons(directory, persons as readonly Person[], own, (place) => `persons[${place}].`)
      : readPersons(directory, [one as unknown as Person], own, () => ''),
  show: ({ stop, externalSystemCode }) =>
    stop.kind === 'person' ? { systemCode: externalSystemCode, extCustId: stop.externalCustomer } : {},
}

const NOT_FOR_AGENTS =
  'the list has persons of the whole corporation; a call task says which of its numbers are stopped'

/** Three operations for each of the two lists. */
export function stopListRoutes(dependencies: RestDependencies): Route[] {
  return [NUMBERS, PERSONS].flatMap((list) => [
    show(dependencies, list),
    add(dependencies, list),
    remove(dependencies, list),
  ])
}

function show({ dialerAdmin }: RestDependencies, { kind, name, what, entry, show }: List): Route {
  const Entry = Type.Object({
    ...entry,
    corporation: Type.Object({ corpId: Type.Integer() }),
    reason: TextOrNull,
    addedBy: TextOrNull,
    creationTs: InstantOut('When it was added.'),
    callId: TextOrNull,
    eactId: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The call activity in which the person said it.',
    }),
  })
  return route({
    method: 'GET',
    path: `/dialer/stoplist/${name}`,
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: `The stop list of ${what}`,
    query: Type.Object({ ...PAGE_FIELDS, after: AFTER }),
    answers: { 200: Type.Object({ [name]: Type.Array(Entry), ...PAGE_FACTS, next: Type.Optional(NEXT) }) },
    async handle({ query, asker }) {
      const { corporations } = asker
      if (!isSupervising(asker)) return refuse('forbidden', NOT_FOR_AGENTS)
      const page = readPage(query, ENTRIES_MAX)
      const after = query.after ? { after: readPlace(query.after, kind) } : {}
      const { foundRows, stops } = await dialerAdmin.listStops({ corporations, kind, ...page, ...after })
      const entries = stops.map((kept) => ({ ...show(kept), ...aboutOf(kept) }))
      const next = stops.length < page.rowsMax ? null : placeText(stops.at(-1)!)
      const chain = query.after === undefined ? {} : { next }
      return { body: { [name]: entries, ...pageFacts(page, entries.length, foundRows), ...chain } }
    },
  })
}

function add(dependencies: RestDependencies, list: List): Route {
  return route({
    method: 'POST',
    path: `/dialer/stoplist/${list.name}`,
    scope: 'dialer:write',
    audit: { action: 'create', object: `stop of ${list.name}` },
    summary: `Put ${list.what} on the stop list`,
    description:
      'No attempt to them begins after the answer; ringing calls are cancelled within 2 s. All are added, or none.',
    body: Type.Object({
      [list.name]: list.entries,
      reason: Type.Optional(Type.String({ maxLength: 200 })),
      corporation: Type.Optional(Type.Object({ corpId: Id('Default: the first corporation of the credential') })),
    }),
    answers: {
      200: Type.Object({ count: Type.Integer({ description: 'Number of given entries, which are now on the list.' }) }),
    },
    example: { body: { [list.name]: list.example, reason: 'asked not to be called' } },
    async handle({ body, asker }) {
      const given = body as Readonly<Record<string, unknown>>
      const { reason, corporation } = given as { reason?: string; corporation?: { corpId: number } }
      const own = corporationOf(corporation?.corpId, asker)
      const stops = await list.read(dependencies, given, asker, own)
      const by = asker.user?.userName ?? asker.credential
      const note = { by, reason: reason === undefined ? null : cleanText(reason), atMs: dependencies.clock.nowMs() }
      await dependencies.dialerAdmin.addStops(own, stops, note)
      return { body: { count: stops.length } }
    },
  })
}

function remove(dependencies: RestDependencies, list: List): Route {
  return route({
    method: 'DELETE',
    path: `/dialer/stoplist/${list.name}`,
    scope: 'dialer:write',
    audit: { action: 'delete', object: `stop of ${list.name}` },
    summary: `Take ${list.what} off the stop list`,
    description: 'Needs config:write as well.',
    query: Type.Object({
      ...list.named,
      corpId: Type.Optional(Id('Default: the first corporation of the credential')),
    }),
    answers: { 200: Type.Object({ count: Type.Integer({ description: 'Number of removed entries.' }) }) },
    async handle({ query, asker }) {
      alsoNeeds(asker, 'config:write', 'who is on the list asked not to be called')
      const { corpId, ...given } = query as Readonly<Record<string, unknown>> & { readonly corpId?: number }
      const own = corporationOf(corpId, asker)
      const stops = await list.read(dependencies, given, asker, own)
      return { body: { count: await dependencies.dialerAdmin.removeStops(own, stops) } }
    },
  })
}

type Place = Pick<KeptStop, 'corporation' | 'stop'>

function placeText({ corporation, stop }: Place): string {
  return cursorOf(
    stop.kind === 'number' ? [corporation, stop.number] : [corporation, stop.externalSystem, stop.externalCustomer],
  )
}

function readPlace(text: string, kind: Stop['kind']): Place {
  const [corporation, ...key] = readCursor(text)
  const [externalSystem, externalCustomer] = key
  const isNumber = kind === 'number' && typeof key[0] === 'string'
  const isPerson = Number.isSafeInteger(externalSystem) && typeof externalCustomer === 'string'
  if (!Number.isSafeInteger(corporation) || !(kind === 'number' ? isNumber : isPerson)) throw invalid([NO_CURSOR])
  const stop = isNumber ? { kind, number: key[0] } : { kind: 'person', externalSystem, externalCustomer }
  return { corporation: corporation as CorporationId, stop: stop as Stop }
}

function aboutOf({ corporation, reason, by, addedAtMs, call, activity }: KeptStop) {
  const evidence = { reason, addedBy: by, creationTs: instantText(addedAtMs), callId: call, eactId: activity }
  return { corporation: { corpId: corporation }, ...evidence }
}

async function readNumbers(
  dialerAdmin: RestDependencies['dialerAdmin'],
  given: readonly string[],
  { corporations }: Asker,
) {
  const errors: FieldError[] = []
  const numbers = await readHomeNumbers(dialerAdmin, given, corporations, 'numbers', errors)
  if (errors.length > 0) throw invalid(errors)
  return [...new Set(numbers)].map((number): Stop => ({ kind: 'number', number }))
}

interface Person {
  readonly systemCode: string
  readonly extCustId: string
}

/** Systems of the corporation whose list it is: an entry for another one's system would stop nobody (rest-22). */
async function readPersons(
  directory: RestDependencies['directory'],
  given: readonly Person[],
  own: CorporationId,
  /** Where one of them was given, in a body or a query. */
  placeOf: (index: number) => string,
) {
  const systems = await directory.externalSystems([own], true)
  const errors: FieldError[] = []
  const stops = given.flatMap(({ systemCode, extCustId }, index): Stop[] => {
    const system = systems.find(({ code }) => code === systemCode)
    const externalCustomer = cleanText(extCustId)
    if (system && externalCustomer !== '') return [{ kind: 'person', externalSystem: system.id, externalCustomer }]
    const path = `${placeOf(index)}${system ? 'extCustId' : 'systemCode'}`
    errors.push({
      path,
      code: 'reference',
      message: system ? 'is blank' : 'names an external system that the corporation of the list does not have',
    })
    return []
  })
  if (errors.length > 0) throw invalid(errors)
  return stops
}

function corporationOf(corpId: number | undefined, { corporations }: Asker): CorporationId {
  const own = corpId === undefined ? corporations[0] : corporations.find((id) => id === corpId)
  if (own !== undefined) return own
  throw invalid([{ path: 'corpId', code: 'reference', message: 'names a corporation that does not exist' }])
}

function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal(refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors }))
}
