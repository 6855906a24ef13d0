/** The systems that import call tasks, with the page each shows about a call (D-28); and information fields (D-21). */
import { type Static, Type } from 'typebox'
import { checkPopupTemplate } from '../../acd/screen-pop.ts'
import type { CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import type { CaseLookup, ExternalSystem, ExternalSystemFields, InfoField } from '../../ports/directory.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'

/** What these operations work with. */
export type SystemDependencies = Pick<RestDependencies, 'directory'>

const Lookup = Type.Object(
  {
    urlTemplate: Type.String({ minLength: 1, maxLength: 1_000, description: 'https://…/CaseInfo/{caseNumber}' }),
    authHeaderName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })),
    authSecretRef: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,64}$',
        description: 'Name of a secret of the set-up, never the secret',
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
    corporation: Type.Optional(Type.Object({ corpId: Id('The asker’s first when absent') })),
    popupUrlTemplate: Type.Optional(FIELDS.popupUrlTemplate),
    lookup: Type.Optional(FIELDS.lookup),
    allowedHosts: Type.Optional(FIELDS.allowedHosts),
    active: Type.Optional(FIELDS.active),
  },
  { additionalProperties: false },
)

const Change = Type.Partial(Type.Object(FIELDS), { additionalProperties: false })

const System = Type.Object({
  itsyId: Type.Integer(),
  systemCode: Type.String(),
  name: Type.String(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  popupUrlTemplate: Type.Union([Type.String(), Type.Null()]),
  lookup: Type.Union([Lookup, Type.Null()]),
  allowedHosts: Type.Array(Type.String()),
  active: Type.Boolean(),
})

const All = Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Also those that are not active' })) })

/** External systems and information fields; additions to the contract, which sets them up by hand. */
export function systemRoutes(dependencies: SystemDependencies): Route[] {
  const { listSystems, addSystem, changeSystem, listFields, addField } = operations(dependencies)
  return [listSystems, addSystem, changeSystem, listFields, addField]
}

function operations({ directory }: SystemDependencies) {
  const listSystems = route({
    method: 'GET',
    path: '/core/externalsystems',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The external systems',
    query: All,
    answers: { 200: Type.Array(System) },
    async handle({ query, asker }) {
      const systems = await directory.externalSystems(asker.corporations, query.all ?? false)
      return { body: systems.map(shown), headers: totals(systems.length) }
    },
  })
  const addSystem = route({
    method: 'POST',
    path: '/core/externalsystems',
    scope: 'config:write',
    audit: { action: 'create', object: 'externalSystem', by: 'itsyId' },
    summary: 'Add an external system',
    body: NewSystem,
    answers: { 201: System },
    example: {
      body: { systemCode: 'DEBT', name: 'Debt system', popupUrlTemplate: 'https://debt.example.com/case?no={$CODE}' },
    },
    handle: ({ body, asker }) => addedSystem(directory, body, asker),
  })
  const changeSystem = route({
    method: 'PATCH',
    path: '/core/externalsystems/{itsyId}',
    scope: 'config:write',
    audit: { action: 'change', object: 'externalSystem', by: 'itsyId' },
    summary: 'Change the given fields of an external system',
    params: Type.Object({ itsyId: Id('The system') }),
    body: Change,
    answers: { 200: System },
    async handle({ params, body, asker }) {
      const errors = wrongAddresses(body)
      if (errors.length > 0) return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
      const id = params.itsyId as ExternalSystemId
      const changed = await directory.changeExternalSystem(id, asker.corporations, fieldsOf(body))
      if (changed === 'no such system') return refuse('notFound', 'no external system of yours has this itsyId')
      return changed === 'code is taken' ? codeIsTaken() : { body: shown(changed) }
    },
  })
  return { listSystems, addSystem, changeSystem, ...fieldOperations(directory) }
}

async function addedSystem(directory: SystemDependencies['directory'], body: Static<typeof NewSystem>, asker: Asker) {
  const errors = wrongAddresses(body)
  if (errors.length > 0) return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
  const corporation = corporationOf(body.corporation, asker)
  if (corporation === undefined) return noSuchCorporation()
  const none = { popupUrlTemplate: null, lookup: null, allowedHosts: [], active: true }
  const fields = { ...none, code: body.systemCode, name: body.name, ...fieldsOf(body) }
  const system = await directory.addExternalSystem(corporation, fields)
  if (system === 'no such corporation') return noSuchCorporation()
  if (system === 'code is taken') return codeIsTaken()
  const headers = { location: `/rest/core/externalsystems/${system.id}` }
  return { status: 201, headers, body: shown(system) }
}

const Field = Type.Object({
  emprId: Type.Integer({ description: 'Of an information field: no priority, which has numbers of its own' }),
  name: Type.String(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  active: Type.Boolean(),
})

const NewField = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    corporation: Type.Optional(Type.Object({ corpId: Id('The asker’s first when absent') })),
  },
  { additionalProperties: false },
)

function fieldOperations(directory: SystemDependencies['directory']) {
  const listFields = route({
    method: 'GET',
    path: '/svcems/infofields',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The information fields that call tasks may carry',
    query: All,
    answers: { 200: Type.Array(Field) },
    async handle({ query, asker }) {
      const fields = await directory.infoFields(asker.corporations, query.all ?? false)
      return { body: fields.map(shownField), headers: totals(fields.length) }
    },
  })
  const addField = route({
    method: 'POST',
    path: '/svcems/infofields',
    scope: 'config:write',
    audit: { action: 'create', object: 'infoField', by: 'emprId' },
    summary: 'Add an information field',
    body: NewField,
    answers: { 201: Field },
    async handle({ body, asker }) {
      const corporation = corporationOf(body.corporation, asker)
      if (corporation === undefined) return noSuchCorporation()
      const field = await directory.addInfoField(corporation, body.name)
      if (field === 'no such corporation') return noSuchCorporation()
      if (field === 'name is taken') return refuse('conflict', 'an information field has this name already')
      return { status: 201, headers: { location: '/rest/svcems/infofields' }, body: shownField(field) }
    },
  })
  return { listFields, addField }
}

function shownField({ id, name, corporation, active }: InfoField) {
  return { emprId: id, name, corporation: { corpId: corporation }, active }
}

function shown({ id, code, corporation, ...rest }: ExternalSystem) {
  const { name, popupUrlTemplate, lookup, allowedHosts, active } = rest
  return {
    itsyId: id,
    systemCode: code,
    name,
    corporation: { corpId: corporation },
    ...{ popupUrlTemplate, lookup, allowedHosts, active },
  }
}

/** The fields that were given, by the names of the house. */
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

function wrongAddresses({ popupUrlTemplate, lookup }: Static<typeof Change>): FieldError[] {
  const popup = typeof popupUrlTemplate === 'string' ? checkPopupTemplate(popupUrlTemplate) : undefined
  const isFixed = !lookup || /^https?:\/\/[^/?#\\\s{}@]+\//i.test(lookup.urlTemplate)
  return [
    ...(popup === undefined ? [] : [{ path: 'popupUrlTemplate', code: 'template', message: popup }]),
    ...(isFixed
      ? []
      : [{ path: 'lookup.urlTemplate', code: 'template', message: 'must be http(s) with a fixed host' }]),
  ]
}

/** Undefined: not one of the asker's. */
function corporationOf(given: { readonly corpId: number } | undefined, asker: Asker): CorporationId | undefined {
  return given ? asker.corporations.find((id) => id === given.corpId) : asker.corporations[0]
}

function noSuchCorporation(): Answer {
  const errors = [{ path: 'corporation.corpId', code: 'reference', message: 'names a corporation that does not exist' }]
  return refuse('validation', 'corporation.corpId: names a corporation that does not exist', { errors })
}

function codeIsTaken(): Answer {
  return refuse('conflict', 'an external system has this systemCode already')
}
