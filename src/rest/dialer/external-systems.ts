/** External systems, which import call tasks and show a page about a call (D-28), and information fields (D-21). */
import { type Static, Type } from 'typebox'
import { checkPopupTemplate } from '../../acd/screen-pop.ts'
import type { CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import type { CaseLookup, ExternalSystem, ExternalSystemFields, InfoField } from '../../ports/directory.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { field, flag, int, ref, shape, text, textOrNull } from '../http/shape.ts'

const Lookup = Type.Object(
  {
    urlTemplate: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Flows ask https://…/CaseInfo/{caseNumber}',
    }),
    authHeaderName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })),
    authSecretRef: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,64}$',
        description: 'Name of a secret of the configuration, never the secret itself',
      }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 4_000 })),
  },
  { additionalProperties: false },
)

const FIELDS = {
  systemCode: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  popupUrlTemplate: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  lookup: Type.Union([Lookup, Type.Null()]),
  allowedHosts: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 20 }),
  active: Type.Boolean(),
}

const NewSystem = Type.Object(
  {
    systemCode: FIELDS.systemCode,
    name: FIELDS.name,
    corporation: Type.Optional(Type.Object({ corpId: Id('Default: the first corporation of the credential') })),
    popupUrlTemplate: Type.Optional(FIELDS.popupUrlTemplate),
    lookup: Type.Optional(FIELDS.lookup),
    allowedHosts: Type.Optional(FIELDS.allowedHosts),
    active: Type.Optional(FIELDS.active),
  },
  { additionalProperties: false },
)

const Change = Type.Partial(Type.Object(FIELDS), { additionalProperties: false })

const SYSTEM = shape<ExternalSystem>({
  itsyId: int(({ id }) => id),
  systemCode: text(({ code }) => code),
  name: text(({ name }) => name),
  corporation: ref('corpId', ({ corporation }) => corporation),
  popupUrlTemplate: textOrNull(({ popupUrlTemplate }) => popupUrlTemplate),
  lookup: field(Type.Union([Lookup, Type.Null()]), ({ lookup }) => lookup),
  allowedHosts: field(Type.Array(Type.String()), ({ allowedHosts }) => allowedHosts),
  active: flag(({ active }) => active),
})

const All = Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Also entries that are not active' })) })

/** All operations; additions to the contract, in which they are configured by hand. */
export function systemRoutes(dependencies: RestDependencies): Route[] {
  const { listSystems, addSystem, changeSystem, listFields, addField } = operations(dependencies)
  return [listSystems, addSystem, changeSystem, listFields, addField]
}

function operations({ directory, lookupUrls }: RestDependencies) {
  const listSystems = route({
    method: 'GET',
    path: '/core/externalsystems',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The external systems',
    query: All,
    answers: { 200: Type.Array(SYSTEM.schema) },
    async handle({ query, asker }) {
      const systems = await directory.externalSystems(asker.corporations, query.all ?? false)
      return { body: systems.map(SYSTEM.show), headers: totals(systems.length) }
    },
  })
  const addSystem = route({
    method: 'POST',
    path: '/core/externalsystems',
    scope: 'config:write',
    audit: { action: 'create', object: 'externalSystem', by: 'itsyId' },
    summary: 'Add an external system',
    body: NewSystem,
    answers: { 201: SYSTEM.schema },
    example: {
      body: { systemCode: 'DEBT', name: 'Debt system', popupUrlTemplate: 'https://debt.example.com/case?no={$CODE}' },
    },
    async handle({ body, asker }) {
      const errors = wrongAddresses(body, lookupUrls)
      if (errors.length > 0) return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
      return addedSystem(directory, body, asker)
    },
  })
  const changeSystem = route({
    method: 'PATCH',
    path: '/core/externalsystems/{itsyId}',
    scope: 'config:write',
    audit: { action: 'change', object: 'externalSystem', by: 'itsyId' },
    summary: 'Change the given fields of an external system',
    params: Type.Object({ itsyId: Id('The system') }),
    body: Change,
    answers: { 200: SYSTEM.schema },
    async handle({ params, body, asker }) {
      const errors = wrongAddresses(body, lookupUrls)
      if (errors.length > 0) return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
      const id = params.itsyId as ExternalSystemId
      const changed = await directory.changeExternalSystem(id, asker.corporations, fieldsOf(body))
      if (changed === 'no such system') return refuse('notFound', 'there is no external system with this itsyId')
      return changed === 'code is taken' ? codeIsTaken() : { body: SYSTEM.show(changed) }
    },
  })
  return { listSystems, addSystem, changeSystem, ...fieldOperations(directory) }
}

async function addedSystem(directory: RestDependencies['directory'], body: Static<typeof NewSystem>, asker: Asker) {
  const corporation = corporationOf(body.corporation, asker)
  if (corporation === undefined) return noSuchCorporation()
  const none = { popupUrlTemplate: null, lookup: null, allowedHosts: [], active: true }
  const fields = { ...none, code: body.systemCode, name: body.name, ...fieldsOf(body) }
  const system = await directory.addExternalSystem(corporation, fields)
  if (system === 'no such corporation') return noSuchCorporation()
  if (system === 'code is taken') return codeIsTaken()
  const headers = { location: `/rest/core/externalsystems/${system.id}` }
  return { status: 201, headers, body: SYSTEM.show(system) }
}

const FIELD = shape<InfoField>({
  emprId: int(({ id }) => id, 'Id of an information field; priorities have ids of their own'),
  name: text(({ name }) => name),
  corporation: ref('corpId', ({ corporation }) => corporation),
  active: flag(({ active }) => active),
})

const NewField = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    corporation: Type.Optional(Type.Object({ corpId: Id('Default: the first corporation of the credential') })),
  },
  { additionalProperties: false },
)

function fieldOperations(directory: RestDependencies['directory']) {
  const listFields = route({
    method: 'GET',
    path: '/svcems/infofields',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The information fields that call tasks may carry',
    query: All,
    answers: { 200: Type.Array(FIELD.schema) },
    async handle({ query, asker }) {
      const fields = await directory.infoFields(asker.corporations, query.all ?? false)
      return { body: fields.map(FIELD.show), headers: totals(fields.length) }
    },
  })
  const addField = route({
    method: 'POST',
    path: '/svcems/infofields',
    scope: 'config:write',
    audit: { action: 'create', object: 'infoField', by: 'emprId' },
    summary: 'Add an information field',
    body: NewField,
    answers: { 201: FIELD.schema },
    async handle({ body, asker }) {
      const corporation = corporationOf(body.corporation, asker)
      if (corporation === undefined) return noSuchCorporation()
      const field = await directory.addInfoField(corporation, body.name)
      if (field === 'no such corporation') return noSuchCorporation()
      if (field === 'name is taken')
        return refuse('conflict', 'another information field has this name; choose another name')
      return { status: 201, headers: { location: '/rest/svcems/infofields' }, body: FIELD.show(field) }
    },
  })
  return { listFields, addField }
}

function fieldsOf(body: Static<typeof Change>): Partial<ExternalSystemFields> {
  const { systemCode, name, popupUrlTemplate, lookup, allowedHosts, active } = body
  return {
    ...(systemCode !== undefined && { code: systemCode }),
    ...(name !== undefined && { name }),
    ...(popupUrlTemplate !== undefined && { popupUrlTemplate }),
    ...(lookup !== undefined && { lookup: lookup as CaseLookup | null }),
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(active !== undefined && { active }),
  }
}

/** An address inside is refused when it is set, not only when a caller waits for its answer (F-J1). */
function wrongAddresses(
  { popupUrlTemplate, lookup }: Static<typeof Change>,
  lookupUrls: RestDependencies['lookupUrls'],
): FieldError[] {
  const popup = typeof popupUrlTemplate === 'string' ? checkPopupTemplate(popupUrlTemplate) : undefined
  const place = lookup ? whyNoLookup(lookup.urlTemplate, lookupUrls) : undefined
  return [
    ...(popup === undefined ? [] : [{ path: 'popupUrlTemplate', code: 'template', message: popup }]),
    ...(place === undefined ? [] : [{ path: 'lookup.urlTemplate', code: 'template', message: place }]),
  ]
}

function whyNoLookup(template: string, lookupUrls: RestDependencies['lookupUrls']): string | undefined {
  if (!/^https?:\/\/[^/?#\\\s{}@]+\//i.test(template)) return 'must be an http or https URL with a fixed host'
  const verdict = lookupUrls.judge(template)
  return verdict.ok ? undefined : verdict.why
}

/** Undefined if the asker may not work for it. */
function corporationOf(given: { readonly corpId: number } | undefined, asker: Asker): CorporationId | undefined {
  return given ? asker.corporations.find((id) => id === given.corpId) : asker.corporations[0]
}

function noSuchCorporation(): Answer {
  const errors = [{ path: 'corporation.corpId', code: 'reference', message: 'names a corporation that does not exist' }]
  return refuse('validation', 'corporation.corpId: names a corporation that does not exist', { errors })
}

function codeIsTaken(): Answer {
  return refuse('conflict', 'another external system of the corporation has this systemCode; choose another code')
}
