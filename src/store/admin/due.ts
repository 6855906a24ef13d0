import type { RetainedKind } from '../../ports/privacy.ts'
import { ACTIVITY_IS_HELD, CALL_IS_HELD, CONTACT_IS_HELD, TASK_IS_HELD } from '../cases/held.ts'

/** What retention looks at: rows of a kind. `$1` is the instant before which they must be over. */
interface Retained {
  readonly from: string
  /** Alias of the table whose rows are taken. */
  readonly row: string
  readonly corporation: string
  readonly at: string
  /** There is something left to erase. */
  readonly isThere: string
  readonly isHeld: string
  /** Nothing that goes on needs it. */
  readonly isOver: string
}

const OF_CALLS = 'join call_activities t on t.id ='

const RETAINED: Readonly<Record<RetainedKind, Retained>> = {
  recordings: {
    from: `recordings r ${OF_CALLS} r.activity_id`,
    row: 'r',
    corporation: 't.corporation_id',
    at: 'r.ended_at_ms',
    isThere: `r.file <> ''`,
    isHeld: CALL_IS_HELD,
    isOver: 'true',
  },
  transcripts: {
    from: `transcripts x ${OF_CALLS} x.activity_id`,
    row: 'x',
    corporation: 'x.corporation_id',
    at: 'x.created_at_ms',
    isThere: 'true',
    isHeld: CALL_IS_HELD,
    isOver: 'true',
  },
  tasks: {
    from: 'call_tasks t',
    row: 't',
    corporation: 't.corporation_id',
    at: 't.finished_at_ms',
    isThere: 't.erased_at_ms is null',
    isHeld: TASK_IS_HELD,
    isOver: 'true',
  },
  calls: {
    from: 'call_activities t',
    row: 't',
    corporation: 't.corporation_id',
    at: 't.ended_at_ms',
    isThere: 't.erased_at_ms is null',
    isHeld: CALL_IS_HELD,
    isOver: 'true',
  },
  activities: {
    from: 'activities t',
    row: 't',
    corporation: 't.corporation_id',
    at: 't.updated_at_ms',
    isThere: '(t.erased_at_ms is null or t.updated_at_ms >= t.erased_at_ms)',
    isHeld: ACTIVITY_IS_HELD,
    isOver: 'activity_is_over(t.id, $1)',
  },
  contacts: {
    from: 'entities t',
    row: 't',
    corporation: 't.corporation_id',
    at: 't.updated_at_ms',
    isThere: 't.erased_at_ms is null',
    isHeld: CONTACT_IS_HELD,
    // A contact stays as long as anything of theirs does (cases-15).
    isOver: `not exists (
      select from entity_extensions x where x.entity_id = t.id and (
        exists (select from call_tasks k where k.external_customer = x.external_customer
          and k.external_system_id = x.external_system_id and k.erased_at_ms is null)
        or exists (select from call_activities c where c.extension_id = x.id and c.erased_at_ms is null)
        or exists (select from activities a where a.extension_id = x.id and a.erased_at_ms is null)))`,
  },
}

/** The rows of a kind to erase, the oldest first, at most `$2`: `id` and `corporation`. */
export function dueOf(kind: RetainedKind): string {
  const { from, row, corporation, at, isThere, isHeld, isOver } = RETAINED[kind]
  return `select ${row}.id, ${corporation} as corporation from ${from}
    where ${at} < $1 and ${isThere} and ${isOver} and not ${isHeld} order by ${at} limit $2`
}

/** The same, locked: two nodes never take the same rows. */
export function lockedDueOf(kind: RetainedKind): string {
  return `${dueOf(kind)} for no key update of ${RETAINED[kind].row} skip locked`
}

/** Numbers of old rows of a kind: those to erase, held, and neither. */
export function countsOf(kind: RetainedKind): string {
  const { from, at, isThere, isHeld, isOver } = RETAINED[kind]
  return `select count(*) filter (where "isOver" and not "isHeld")::int as due, count(*) filter (where "isHeld")::int as
      held, count(*) filter (where not "isOver" and not "isHeld")::int as "inUse"
    from (select ${isOver} as "isOver", ${isHeld} as "isHeld" from ${from} where ${at} < $1 and ${isThere}) old`
}
