/** Contacts on the wire (contract.md §2.5, D-18). */
import type { Entity, EntityExtension } from '../../ports/contacts.ts'
import { flag, instant, int, list, optionalList, ref, shape, text, textOrNull } from '../http/shape.ts'

/** Kind of a contact → its code; the contract fixes 1, the other is ours (D-18). */
export const ENTITY_TYPES = { private: 1, company: 2 } as const
/** contract.md §2.5. */
const EXTENSION_TYPES = { customer: 10 } as const

const LINK = shape<NonNullable<EntityExtension['external']>>({
  itsyId: int(({ system }) => system, 'The external system.'),
  systemCode: text(({ code }) => code),
  extCustId: text(({ customer }) => customer, 'The customer in the external system.'),
})

const EXTENSION = shape<EntityExtension>({
  eeexId: int(({ id }) => id, 'Id to look up activities by.'),
  extType: int(({ kind }) => EXTENSION_TYPES[kind], '10 customer'),
  seqNo: int(({ sequenceNumber }) => sequenceNumber, 'Our customer number.'),
  extensionLinks: list(
    LINK,
    ({ external }) => (external === null ? [] : [external]),
    'The customer in the external system; empty if no external system knows the customer.',
  ),
  stopped: flag(({ stopped }) => stopped, 'The customer is on the stop list (our addition).'),
})

const NUMBER = shape<Entity['numbers'][number]>({
  number: text(({ given }) => given, 'As it was imported.'),
  e164: textOrNull(({ number }) => number, 'In international form; null if it is not a telephone number.'),
  type: text(({ kind }) => kind, 'mobile, home, work, other'),
  primary: flag(({ isPrimary }) => isPrimary),
  stopped: flag(({ stopped }) => stopped, 'The number is on the stop list.'),
})

/** The object itself. */
export const CONTACT = shape<Entity>({
  emenId: int(({ id }) => id),
  name1: text(({ name }) => name, 'First names, or the name of a company.'),
  name2: text(({ secondName }) => secondName, 'Last name; empty for a company.'),
  corporation: ref('corpId', ({ corporation }) => corporation),
  entityType: int(({ kind }) => ENTITY_TYPES[kind], '1 private entity, 2 company'),
  extensions: optionalList(EXTENSION, ({ extensions }) => extensions, 'Only with getExtensions=true.'),
  language: textOrNull(({ language }) => language, 'BCP 47; null if unknown (our addition).'),
  numbers: list(NUMBER, ({ numbers }) => numbers),
  updateTs: instant(({ updatedAtMs }) => updatedAtMs, 'When it was last changed (our addition).'),
})
