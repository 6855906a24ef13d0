import type { ContactRepository, Entity, EntitySearch } from '../../ports/contacts.ts'
import { Criteria, countOf, totalOf } from '../db/criteria.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { type Prepared, query } from '../db/transaction.ts'
import { saveContact } from './save-contact.ts'

const contacts = {
  async searchEntities({ api, searches }, search) {
    const { corporations, ids, withExtensions, offset, rowsMax, name } = search
    const pool = name === undefined ? api : searches
    const criteria = criteriaOf(search)
    const values = [...criteria.values]
    const count = () => countOf(pool, `from entities e where ${criteria.where}`, values)
    const window = () =>
      `${select(criteria.bind(withExtensions))} where ${criteria.where}
        order by e.id limit ${criteria.bind(rowsMax)} offset ${criteria.bind(offset)}`
    const entities = isOfIdsAlone(search)
      ? await query<Entity>(api, OF_IDS, [corporations, ids, withExtensions, rowsMax, offset])
      : await query<Entity>(pool, window(), criteria.values)
    return { found: await totalOf(search, entities.length, count), entities }
  },
} satisfies Partial<In<ContactRepository>>

function isOfIdsAlone({ corporations, ids, withExtensions, offset, rowsMax, ...others }: EntitySearch): boolean {
  return ids !== undefined && Object.values(others).every((value) => value === undefined)
}

function criteriaOf({ corporations, ids, extensions, sequenceNumber, numbers, name }: EntitySearch): Criteria {
  return new Criteria()
    .add(corporations, (it) => `e.corporation_id = any(${it}::bigint[])`)
    .add(ids, (it) => `e.id = any(${it}::bigint[])`)
    .add(extensions, (it) => `e.id in (select x.entity_id from entity_extensions x where x.id = any(${it}::bigint[]))`)
    .add(
      sequenceNumber,
      (it) => `e.id in (select x.entity_id from entity_extensions x
        where x.corporation_id = any($1) and x.kind = 'customer' and x.sequence_number = ${it})`,
    )
    .add(numbers, (it) => `e.id in (select n.entity_id from entity_numbers n where n.number = any(${it}::text[]))`)
    .add(name, (it) => `e.folded like folded_part(${it})`)
}

/** Builds the key of a person on the stop list like `personKey`. */
const EXTENSIONS = `
  (select coalesce(json_agg(json_build_object('id', x.id, 'kind', x.kind, 'sequenceNumber', x.sequence_number,
     'external', case when s.id is not null then
        json_build_object('system', s.id, 'code', s.code, 'customer', x.external_customer) end,
     'stopped', exists (select from stopped_persons p where p.corporation_id = x.corporation_id
        and p.person_key = x.external_system_id || ':' || x.external_customer)) order by x.id), '[]'::json)
     from entity_extensions x left join external_systems s on s.id = x.external_system_id
    where x.entity_id = e.id)`

const select = (withExtensions: string) => `
select e.id, e.corporation_id as corporation, e.kind, e.name, e.second_name as "secondName", e.language,
  e.updated_at_ms as "updatedAtMs",
  (select coalesce(json_agg(json_build_object('given', n.given, 'number', n.number, 'kind', n.kind,
     'isPrimary', n.is_primary, 'stopped', exists (select from stopped_numbers p
        where p.corporation_id = e.corporation_id and p.number = n.number)) order by n.position), '[]'::json)
     from entity_numbers n where n.entity_id = e.id) as numbers,
  case when ${withExtensions}::boolean then ${EXTENSIONS} end as extensions
  from entities e`

const OF_IDS: Prepared = {
  name: 'entities-of-ids',
  text: `${select('$3')} where e.corporation_id = any($1) and e.id = any($2) order by e.id limit $4 offset $5`,
}

/** Contacts in PostgreSQL. */
export function postgresEntities(pools: Pools): ContactRepository {
  return portOf<ContactRepository>(pools, { ...contacts, ...saveContact })
}
