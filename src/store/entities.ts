import type { Entities, Entity, EntitySearch } from '../ports/entities.ts'
import { saveEntity } from './entities-save.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** Contacts in PostgreSQL. What each method does is said at the port. */
export function postgresEntities(pools: Pools): Entities {
  return {
    saveEntity: (entity) => saveEntity(pools, entity),
    searchEntities: (search) => searchEntities(pools, search),
  }
}

/** One window of the contacts that fit, by id. */
async function searchEntities(
  { api }: Pools,
  search: EntitySearch,
): Promise<{ found: number; entities: readonly Entity[] }> {
  const { corporations, ids, extensions, sequenceNumber, numbers, name, withExtensions, offset, rowsMax } = search
  const criteria = [corporations, ids, extensions, sequenceNumber, numbers, name].map((value) => value ?? null)
  const counted = await query<{ found: number }>(api, `select count(*) as found from entities e ${WHERE}`, criteria)
  const text = `${SELECT} ${WHERE} order by e.id limit $8 offset $9`
  const entities = await query<Entity>(api, text, [...criteria, withExtensions, rowsMax, offset])
  // A count has one row.
  return { found: counted[0]!.found, entities }
}

const WHERE = `
 where e.corporation_id = any($1)
   and ($2::bigint[] is null or e.id = any($2))
   and ($3::bigint[] is null or e.id in (select x.entity_id from entity_extensions x where x.id = any($3)))
   and ($4::bigint is null or e.id in (
     select x.entity_id from entity_extensions x
      where x.corporation_id = any($1) and x.kind = 'customer' and x.sequence_number = $4))
   and ($5::text[] is null or e.id in (select n.entity_id from entity_numbers n where n.number = any($5)))
   and ($6::text is null or position(lower($6) in lower(e.name || ' ' || e.second_name)) > 0)`

/** The key of a person on the stop list is made as `personKey` makes it. */
const EXTENSIONS = `
  (select coalesce(json_agg(json_build_object('id', x.id, 'kind', x.kind, 'sequenceNumber', x.sequence_number,
     'external', case when s.id is not null then
        json_build_object('system', s.id, 'code', s.code, 'customer', x.external_customer) end,
     'stopped', exists (select from stopped_persons p where p.corporation_id = x.corporation_id
        and p.person_key = x.external_system_id || ':' || x.external_customer)) order by x.id), '[]'::json)
     from entity_extensions x left join external_systems s on s.id = x.external_system_id
    where x.entity_id = e.id)`

const SELECT = `
select e.id, e.corporation_id as corporation, e.kind, e.name, e.second_name as "secondName",
  (select coalesce(json_agg(json_build_object('given', n.given, 'number', n.number, 'kind', n.kind,
     'isPrimary', n.is_primary, 'stopped', exists (select from stopped_numbers p
        where p.corporation_id = e.corporation_id and p.number = n.number)) order by n.position), '[]'::json)
     from entity_numbers n where n.entity_id = e.id) as numbers,
  case when $7 then ${EXTENSIONS} end as extensions
  from entities e`
