import { isDeepStrictEqual } from 'node:util'
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId, EntityId, ExtensionId, ExternalSystemId } from '../../kernel/ids.ts'
import { type ContactRepository, CUSTOMERS_MAX, type EntityNumber, type EntityToSave } from '../../ports/contacts.ts'
import type { Transaction } from '../db/connection.ts'
import { nextNumber } from '../db/counters.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { adoptCalls } from './call-owner.ts'

/** Serializes saves and imports in a corporation: two at once of a new customer make one contact. */
export const saveContact = {
  async saveEntity({ jobs }, contact) {
    return inTransaction(jobs, async (transaction) => {
      const { corporation, customers } = contact
      const lock = 'select from corporations where id = $1 for no key update'
      if ((await ask(transaction, lock, [corporation])).length === 0) return { outcome: 'no such corporation' }
      if (!(await areOurs(transaction, contact))) return { outcome: 'no such external system' }
      const owners = await ownersOf(transaction, contact)
      const id = contact.id ?? owners[0]?.entity
      if (owners.some(({ entity }) => entity !== id)) return { outcome: 'customer is taken' }
      const before = id === undefined ? undefined : await stateOf(transaction, id, corporation)
      if (id !== undefined && !before) return { outcome: 'no such entity' }
      if (contact.seenAtMs !== undefined && contact.seenAtMs !== before?.updatedAtMs) return { outcome: 'stale' }
      const isNew = before === undefined
      if (isNew && contact.name === undefined) return { outcome: 'no name' }
      const added = customers.filter((customer, place) => {
        const isSame = ({ externalSystem, externalCustomer }: (typeof customers)[number]) =>
          externalSystem === customer.externalSystem && externalCustomer === customer.externalCustomer
        return customers.findIndex(isSame) === place && !owners.some((owner) => isSame(owner))
      })
      if ((before?.customers ?? 0) + added.length > CUSTOMERS_MAX) return { outcome: 'too many customers' }
      const hasNumbers = contact.numbers !== undefined && !isDeepStrictEqual(contact.numbers, before?.numbers)
      const kept = isNew ? await add(transaction, contact) : before.id
      if (!isNew) await change(transaction, kept, contact, hasNumbers || added.length > 0)
      if (hasNumbers) await writeNumbers(transaction, kept, contact.numbers)
      for (const { externalSystem, externalCustomer } of added) {
        await addExtension(transaction, corporation, kept, [externalSystem, externalCustomer])
      }
      const extensions = await extensionsOf(transaction, kept)
      // Our choice: every contact is a customer, because records refer to a contact by its extension.
      if (extensions.length === 0) extensions.push(await addExtension(transaction, corporation, kept, [null, null]))
      return { outcome: 'saved', id: kept, isNew, extensions }
    })
  },
} satisfies Partial<In<ContactRepository>>

async function areOurs(transaction: Transaction, { corporation, customers }: EntityToSave): Promise<boolean> {
  const systems = [...new Set(customers.map(({ externalSystem }) => externalSystem))]
  const text = 'select id from external_systems where id = any($1) and corporation_id = $2'
  return (await ask(transaction, text, [systems, corporation])).length === systems.length
}

interface Owner {
  readonly entity: EntityId
  readonly externalSystem: ExternalSystemId
  readonly externalCustomer: string
}

/** Existing contacts of the customers. */
async function ownersOf(transaction: Transaction, { customers }: EntityToSave): Promise<Owner[]> {
  const text = `
    select x.entity_id as entity, x.external_system_id as "externalSystem", x.external_customer as "externalCustomer"
      from unnest($1::bigint[], $2::text[]) as w(system, customer)
      join entity_extensions x on x.external_system_id = w.system and x.external_customer = w.customer`
  const systems = customers.map(({ externalSystem }) => externalSystem)
  const names = customers.map(({ externalCustomer }) => externalCustomer)
  return ask<Owner>(transaction, text, [systems, names])
}

interface State {
  readonly id: EntityId
  readonly updatedAtMs: AtMs
  readonly customers: number
  readonly numbers: readonly EntityNumber[]
}

async function stateOf(transaction: Transaction, id: EntityId, corporation: CorporationId) {
  const text = `
    select e.id, e.updated_at_ms as "updatedAtMs",
        (select count(*) from entity_extensions x where x.entity_id = e.id) as customers,
        (select coalesce(json_agg(json_build_object('given', n.given,
        'number', n.number, 'kind', n.kind, 'isPrimary', n.is_primary) order by n.position), '[]'::json)
        from entity_numbers n where n.entity_id = e.id) as numbers
      from entities e where e.id = $1 and e.corporation_id = $2 and e.erased_at_ms is null for no key update`
  return (await ask<State>(transaction, text, [id, corporation]))[0]
}

async function add(transaction: Transaction, contact: EntityToSave): Promise<EntityId> {
  const { corporation, kind = 'private', name, secondName = '', language = null, atMs } = contact
  const text = `insert into entities (corporation_id, kind, name, second_name, language, created_at_ms, updated_at_ms)
                values ($1, $2, $3, $4, $5, $6, $6) returning id`
  const rows = await ask<{ id: EntityId }>(transaction, text, [corporation, kind, name, secondName, language, atMs])
  // An insert returns one row.
  return rows[0]!.id
}

/** A save of what is there already is no change, and keeps the record no longer. */
async function change(transaction: Transaction, id: EntityId, contact: EntityToSave, isMore: boolean): Promise<void> {
  const { kind, name, secondName, language, atMs } = contact
  await transaction.query(
    `update entities e set kind = w.kind, name = w.name, second_name = w.second_name, language = w.language,
            updated_at_ms = greatest($7, e.updated_at_ms + 1)
       from (select id, coalesce($2, kind) as kind, coalesce($3, name) as name,
               coalesce($4, second_name) as second_name, case when $5 then $6 else language end as language
               from entities where id = $1) w
      where e.id = w.id and ($8 or (e.kind, e.name, e.second_name, e.language)
        is distinct from (w.kind, w.name, w.second_name, w.language))`,
    [id, kind, name, secondName, language !== undefined, language, atMs, isMore],
  )
}

/** Remembers the numbers that are taken off, so that imports do not add them again. */
async function writeNumbers(transaction: Transaction, id: EntityId, numbers: readonly EntityNumber[]): Promise<void> {
  const kept = numbers.flatMap(({ number }) => number ?? [])
  await transaction.query(
    `with gone as (delete from entity_numbers where entity_id = $1 returning number)
     insert into entity_removed_numbers (entity_id, number)
     select $1, number from gone where number <> all($2::text[]) on conflict do nothing`,
    [id, kept],
  )
  const rows = numbers.map(({ given, number, kind, isPrimary }, position) => {
    return { position, given, number, kind, is_primary: isPrimary }
  })
  await transaction.query(
    `insert into entity_numbers (entity_id, position, given, number, kind, is_primary)
     select $1, r.* from jsonb_to_recordset($2::jsonb)
       as r(position integer, given text, number text, kind text, is_primary boolean)`,
    [id, JSON.stringify(rows)],
  )
}

async function addExtension(
  transaction: Transaction,
  corporation: CorporationId,
  entity: EntityId,
  external: readonly [ExternalSystemId, string] | readonly [null, null],
): Promise<ExtensionId> {
  const sequenceNumber = await nextNumber(transaction, corporation, 'customer')
  const text = `insert into entity_extensions (corporation_id, entity_id, kind, sequence_number, external_system_id,
                  external_customer) values ($1, $2, 'customer', $3, $4, $5) returning id`
  const values = [corporation, entity, sequenceNumber, ...external]
  const rows = await ask<{ id: ExtensionId }>(transaction, text, values)
  // An insert returns one row.
  const { id } = rows[0]!
  if (external[0] !== null) await adoptCalls(transaction, id, external)
  return id
}

async function extensionsOf(transaction: Transaction, entity: EntityId): Promise<ExtensionId[]> {
  const text = 'select id from entity_extensions where entity_id = $1 order by id'
  return (await ask<{ id: ExtensionId }>(transaction, text, [entity])).map(({ id }) => id)
}
