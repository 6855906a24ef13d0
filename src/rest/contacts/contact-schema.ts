/** Contacts on the wire (contract.md §2.5, D-18). */
import { Type } from 'typebox'
import type { Entity, EntityExtension } from '../../ports/contacts.ts'

/** Kind of a contact → its code; the contract fixes 1, the other is ours (D-18). */
const ENTITY_TYPES = { private: 1, company: 2 } as const
/** contract.md §2.5. */
const EXTENSION_TYPES = { customer: 10 } as const

const Link = Type.Object({
  itsyId: Type.Integer({ description: 'An external system …' }),
  systemCode: Type.String(),
  extCustId: Type.String({ description: '… and who the customer is there.' }),
})

const Extension = Type.Object({
  eeexId: Type.Integer({ description: 'What activities are retrieved by.' }),
  extType: Type.Integer({ description: '10 customer' }),
  seqNo: Type.Integer({ description: 'Our customer number.' }),
  extensionLinks: Type.Array(Link, {
    description: 'The customer in the external system; empty where none knows them.',
  }),
  stopped: Type.Boolean({ description: 'The customer is on the stop list (our addition).' }),
})

const ContactNumber = Type.Object({
  number: Type.String({ description: 'As it was given.' }),
  e164: Type.Union([Type.String(), Type.Null()], { description: 'As it is dialed; null where it is no number.' }),
  type: Type.String({ description: 'mobile, home, work, other' }),
  primary: Type.Boolean(),
  stopped: Type.Boolean({ description: 'It is on the stop list.' }),
})

/** The object as it is described in the reference. */
export const Contact = Type.Object({
  emenId: Type.Integer(),
  name1: Type.String({ description: 'First names, or the name of a company.' }),
  name2: Type.String({ description: 'Last name; empty for a company.' }),
  corporation: Type.Object({ corpId: Type.Integer() }),
  entityType: Type.Integer({ description: '1 private entity, 2 company' }),
  extensions: Type.Optional(Type.Array(Extension, { description: 'Only with getExtensions=true.' })),
  numbers: Type.Array(ContactNumber),
})

/** The object itself. */
export function contactOut({ id, name, secondName, corporation, kind, extensions, numbers }: Entity) {
  return {
    emenId: id,
    name1: name,
    name2: secondName,
    corporation: { corpId: corporation },
    entityType: ENTITY_TYPES[kind],
    ...(extensions && { extensions: extensions.map(extensionOut) }),
    numbers: numbers.map(({ given, number, kind: type, isPrimary, stopped }) => {
      return { number: given, e164: number, type, primary: isPrimary, stopped }
    }),
  }
}

function extensionOut({ id, kind, sequenceNumber, external, stopped }: EntityExtension) {
  const links = external === null ? [] : [external]
  return {
    eeexId: id,
    extType: EXTENSION_TYPES[kind],
    seqNo: sequenceNumber,
    extensionLinks: links.map(({ system, code, customer }) => {
      return { itsyId: system, systemCode: code, extCustId: customer }
    }),
    stopped,
  }
}
