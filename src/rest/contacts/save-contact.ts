/** `POST /svcems/entity`: creates and changes contacts. Our addition to the contract (cases-14). */
import { type Static, Type } from 'typebox'
import { isLanguage } from '../../dialer/check-import.ts'
import { cleanText } from '../../kernel/clean-text.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId, EntityId } from '../../kernel/ids.ts'
import {
  CUSTOMERS_MAX,
  type Entity,
  type EntityKind,
  type EntityNumber,
  type EntitySaved,
  type EntityToSave,
  type NumberKind,
} from '../../ports/contacts.ts'
import { homeReadings } from '../dialer/default-country.ts'
import { alsoNeeds } from '../http/also-needs.ts'
import type { Answer } from '../http/answer.ts'
import { corporationOf } from '../http/corporation-of.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, readInstant } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { Refusal, refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import { CONTACT, ENTITY_TYPES } from './contact-schema.ts'

const NUMBERS_MAX = 100
const NUMBER_TYPES = ['mobile', 'home', 'work', 'other'] as const satisfies readonly NumberKind[]
const Name = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

const LinkIn = Type.Object({
  systemCode: Type.String({ minLength: 1, maxLength: 64, description: 'The external system' }),
  extCustId: Type.String({ minLength: 1, maxLength: 64, description: 'The customer in the external system' }),
})
const NumberIn = Type.Object({
  number: Type.String({ minLength: 1, maxLength: 32, description: 'A telephone number' }),
  type: Type.Optional(Type.Enum([...NUMBER_TYPES], { description: 'Default other' })),
  primary: Type.Optional(Type.Boolean({ description: 'At most one is; default the first number' })),
})

const EntityIn = Type.Object({
  emenId: Type.Optional(Id('The contact to change')),
  name1: Name('First names, or the name of a company; required for a new contact'),
  name2: Name('Last name'),
  corporation: Type.Optional(
    Type.Object(
      { corpId: Id('One of the corporations of the credential') },
      { description: 'The owner; default the first one of the credential; it cannot be changed' },
    ),
  ),
  entityType: Type.Optional(Type.Enum(Object.values(ENTITY_TYPES), { description: '1 private entity, 2 company' })),
  language: Type.Optional(
    Type.Union([Type.String({ maxLength: 35 }), Type.Null()], { description: 'BCP 47, such as et; null clears' }),
  ),
  numbers: Type.Optional(
    Type.Array(NumberIn, {
      maxItems: NUMBERS_MAX,
      description: 'All numbers, in order; an import does not add a number again that is taken off here',
    }),
  ),
  extensions: Type.Optional(
    Type.Array(
      Type.Object({
        extensionLinks: Type.Optional(Type.Array(LinkIn, { maxItems: 20, description: 'The customers' })),
      }),
      {
        maxItems: 20,
        description: `Customers in external systems that this contact is too, ${CUSTOMERS_MAX} in all; others stay`,
      },
    ),
  ),
  updateTs: Type.Optional(
    InstantIn('The updateTs that was read; the answer is 412 if the contact was changed since, by an import too'),
  ),
})

type Body = Static<typeof EntityIn>

/** The operation. */
export function saveEntityRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/entity',
    scope: 'entities:write',
    audit: { action: 'change', object: 'entity', by: 'emenId' },
    summary: 'Create or change a contact',
    description:
      'With emenId that contact is changed; else the one that a customer of extensions is already; else a contact is ' +
      'created, and svc-created is true. Absent fields stay unchanged. Every contact has at least one extension. ' +
      'With the updateTs that was read, a conflicting change is refused with 412. ' +
      'Needs entities:read as well, because the answer shows the whole contact.',
    body: EntityIn,
    answers: { 200: CONTACT.schema },
    example: {
      body: {
        name1: 'Carla',
        name2: 'Dahl',
        numbers: [{ number: '+4526100777', type: 'mobile' }],
        extensions: [{ extensionLinks: [{ systemCode: 'DEBT', extCustId: 'C-1001' }] }],
      },
    },
    async handle({ body, asker }) {
      alsoNeeds(asker, 'entities:read', 'the answer shows the whole contact')
      const { clock, entities } = dependencies
      const corporation = await ownerOf(dependencies, body, asker)
      if (corporation === undefined) return noSuchContact()
      const errors: FieldError[] = []
      const [numbers, customers] = [
        await readNumbers(dependencies, body, corporation, errors),
        await readCustomers(dependencies, body, corporation, errors),
      ]
      const fields = readFields(body, errors)
      const seenAtMs = readSeen(body, errors)
      if (errors.length > 0) throw invalid(errors)
      const { emenId } = body
      const named = { corporation, customers, ...(emenId !== undefined && { id: emenId as EntityId }) }
      const read = { ...fields, ...(numbers && { numbers }), ...(seenAtMs !== undefined && { seenAtMs }) }
      const saved = await entities.saveEntity({ ...named, ...read, atMs: clock.nowMs() })
      if (saved.outcome !== 'saved') return REFUSALS[saved.outcome]()
      const [contact] = await contactsOf(dependencies, saved.id, [corporation])
      return contact
        ? { body: CONTACT.show(contact), headers: { 'svc-created': String(saved.isNew) } }
        : noSuchContact()
    },
  })
}

const REFUSALS: Readonly<Record<Exclude<EntitySaved['outcome'], 'saved'>, () => Answer>> = {
  'no such entity': noSuchContact,
  'no such corporation': noSuchContact,
  'no such external system': () => refuse('conflict', 'an external system was removed meanwhile; try again'),
  'customer is taken': () => refuse('conflict', 'extensions: a customer is another contact already; change that one'),
  'too many customers': () =>
    refuse('conflict', `extensions: a contact is ${CUSTOMERS_MAX} customers at most; make another contact`),
  stale: () => refuse('stale', 'the contact was changed since it was read; read it again, and repeat the change'),
  'no name': () => {
    throw invalid([{ path: 'name1', code: 'required', message: 'is missing; a new contact needs it' }])
  },
}

/** The corporation of a new contact, or of the one to change; undefined if there is no such contact. */
async function ownerOf(dependencies: RestDependencies, { emenId, corporation }: Body, asker: Asker) {
  const given = corporation?.corpId
  if (emenId === undefined) return corporationOf(given, asker)
  const [contact] = await contactsOf(dependencies, emenId as EntityId, asker.corporations)
  return given === undefined || given === contact?.corporation ? contact?.corporation : undefined
}

async function contactsOf(
  { entities }: RestDependencies,
  id: EntityId,
  corporations: readonly CorporationId[],
): Promise<readonly Entity[]> {
  const search = { corporations, ids: [id], withExtensions: true, offset: 0, rowsMax: 1 }
  return (await entities.searchEntities(search)).entities
}

async function readNumbers(
  { dialerAdmin }: RestDependencies,
  { numbers }: Body,
  corporation: CorporationId,
  errors: FieldError[],
): Promise<EntityNumber[] | undefined> {
  const texts = numbers?.map(({ number }) => number) ?? []
  const readings = await homeReadings(dialerAdmin, texts, [corporation])
  const primaries = numbers?.flatMap(({ primary }, place) => (primary ? [place] : [])) ?? []
  const [first = numbers?.[0]?.primary === undefined ? 0 : undefined, second] = primaries
  if (second !== undefined) {
    const message = `is true, and numbers[${first}] is the primary number already; only one can be`
    errors.push({ path: `numbers[${second}].primary`, code: 'primary', message })
  }
  return numbers?.flatMap(({ number: given, type = 'other' }, place) => {
    const [number, another] = readings[place] ?? []
    if (number && !another) return [{ given: cleanText(given), number, kind: type, isPrimary: place === first }]
    const message = 'is not a telephone number, or one of several countries; write + and digits'
    errors.push({ path: `numbers[${place}].number`, code: 'number', message })
    return []
  })
}

function readSeen({ updateTs }: Body, errors: FieldError[]): AtMs | undefined {
  const atMs = updateTs === undefined ? undefined : readInstant(updateTs)
  if (updateTs !== undefined && atMs === undefined) {
    const message = 'is not an instant; write ISO 8601 such as 2026-01-02T03:04:05Z'
    errors.push({ path: 'updateTs', code: 'instant', message })
  }
  return atMs
}

async function readCustomers(
  { directory }: RestDependencies,
  { extensions = [] }: Body,
  corporation: CorporationId,
  errors: FieldError[],
): Promise<EntityToSave['customers']> {
  const links = extensions.flatMap(({ extensionLinks = [] }, place) =>
    extensionLinks.map((link, at) => ({ ...link, path: `extensions[${place}].extensionLinks[${at}]` })),
  )
  const systems = links.length === 0 ? [] : await directory.externalSystems([corporation], true)
  return links.flatMap(({ systemCode, extCustId, path }) => {
    const system = systems.find(({ code }) => code === systemCode)
    const externalCustomer = cleanText(extCustId)
    if (system && externalCustomer !== '') return [{ externalSystem: system.id, externalCustomer }]
    const [name, message] = system
      ? ['extCustId', 'is blank']
      : ['systemCode', 'names no external system that there is']
    errors.push({ path: `${path}.${name}`, code: 'reference', message })
    return []
  })
}

function readFields({ name1, name2, entityType, language }: Body, errors: FieldError[]) {
  const name = name1 === undefined ? undefined : cleanText(name1)
  if (name === '') errors.push({ path: 'name1', code: 'blank', message: 'is blank; write a name' })
  if (typeof language === 'string' && !isLanguage(language)) {
    errors.push({ path: 'language', code: 'language', message: 'is no language tag; write one such as et' })
  }
  const kinds = Object.keys(ENTITY_TYPES) as EntityKind[]
  const kind = kinds.find((each) => ENTITY_TYPES[each] === entityType)
  return {
    ...(name !== undefined && { name }),
    ...(name2 !== undefined && { secondName: cleanText(name2) }),
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
  }
}

function noSuchContact(): Answer {
  return refuse('notFound', 'there is no contact with this emenId, or it was erased')
}

function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal(refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors }))
}
