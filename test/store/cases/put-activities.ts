/** Writes activities straight into their tables, for tests that read them. */

import type { ActivityId } from '../../../src/kernel/ids.ts'
import type { Pools } from '../../../src/store/db/pools.ts'

/** The choices for an activity beside its kind. */
export interface Put {
  readonly corporation?: number
  readonly subject?: string
  readonly extension?: number
  readonly direction?: 'in' | 'out'
  readonly atMs?: number
}

/** The choices for a case beside those. */
export interface PutCase extends Put {
  /** 1, which is open, by default. */
  readonly status?: number
  readonly mergedInto?: ActivityId
}

/** Writes into the database of these pools. */
export function putter({ jobs }: Pools) {
  const put = async (kind: 'email' | 'conversation' | 'case', what: Put = {}): Promise<ActivityId> => {
    const { corporation = 1, subject = kind, extension = null, direction = null, atMs = 0 } = what
    const { rows } = await jobs.query<{ id: ActivityId }>(
      `insert into activities (corporation_id, kind, subject, direction, extension_id, created_at_ms, updated_at_ms)
       values ($1, $2, $3, $4, $5, $6, $6) returning id`,
      [corporation, kind, subject, direction, extension, atMs],
    )
    // It was inserted, so it has an id.
    return rows[0]!.id
  }
  const putCase = async (what: PutCase = {}): Promise<ActivityId> => {
    const id = await put('case', what)
    const { corporation = 1, status = what.mergedInto === undefined ? 1 : 5, mergedInto = null } = what
    await jobs.query(
      `insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
         last_open_ems_status_id, priority_id, merged_into_id, merged_at_ms, hold_until_ms)
       select $1::bigint, $2::bigint, $1::bigint, $3::smallint, s.id, 0, o.id, p.id, $4::bigint,
         case when $4::bigint is not null then 0 end, case when $3::smallint = 8 then 1 end
         from ems_statuses s, ems_statuses o, priorities p
        where s.corporation_id = $2 and s.status = $3 and s.is_default and o.corporation_id = $2 and o.status = 1
          and o.is_default and p.corporation_id = $2 and p.is_default`,
      [id, corporation, status, mergedInto],
    )
    return id
  }
  const link = async (type: 13 | 14 | 16, from: ActivityId, to: ActivityId, corporation = 1) => {
    await jobs.query(
      'insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, $4, 0)',
      [type, from, to, corporation],
    )
  }
  return { put, putCase, link }
}
