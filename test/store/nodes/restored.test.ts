/** What a database knows of the attempts that journals witness, and which numbers it gives after a confirmation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopIfForgotten } from '../../../src/app/behind.ts'
import type {
  AgentName,
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  PhoneNumber,
} from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { ClaimWitness } from '../../../src/ports/calls/witness.ts'
import { dumpDatabase, loadDump } from '../../../src/store/nodes/dump.ts'
import { confirmRestored, restoredState, unknownClaims } from '../../../src/store/nodes/restored.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

describe.each(servers)('a restored database on $name', (server) => {
  let database: TestDatabase
  const claim = (attempt: number, task: number): ClaimWitness => ({
    type: 'attempt.claimed',
    attempt: attempt as AttemptId,
    task: task as CallTaskId,
    campaign: 1 as CampaignId,
    corporation: 1 as CorporationId,
    number: '+4520123401' as PhoneNumber,
    attemptNumber: 1,
    activity: (1_000 + attempt) as ClaimWitness['activity'],
  })

  beforeAll(async () => {
    database = await makeDatabase(server)
    await database.pools.jobs.query(`
      insert into corporations (id, name, created_at_ms) values (1, 'ours', 0);
      insert into campaigns (id, corporation_id, name, created_at_ms, updated_at_ms) values (1, 1, 'c', 0, 0);
      insert into call_tasks (corporation_id, campaign_id, receiver_name, duplicate_key, attempts_max, interval_ms,
        created_at_ms, updated_at_ms) values (1, 1, 'Debtor', 'd', 3, 0, 0, 0);
      insert into attempts (task_id, campaign_id, corporation_id, attempt_number, number, fence, claimed_at_ms,
        ended_at_ms, result, holds_person) values (1, 1, 1, 1, '', 1, 5, 6, 'answered', false)`)
  })
  afterAll(() => database.drop())

  test('knows an attempt whose number was erased: the journal of another node still has it', async () => {
    expect(await unknownClaims(database.pools, [claim(1, 1), claim(2, 1)])).toEqual(new Set([2]))
  })

  test('waits for a confirmation from the moment in which it lacks a claim of a running node', async () => {
    expect(await stopIfForgotten(database.pools, [claim(1, 1)], silentLog)).toBe(false)
    expect((await restoredState(database.pools)).toConfirm).toBeNull()
    expect(await stopIfForgotten(database.pools, [claim(1, 1), claim(1, 2)], silentLog)).toBe(true)
    const why = 'the database is behind its files: it does not know 1 of the newest calls that the journal shows'
    expect((await restoredState(database.pools)).toConfirm).toBe(why)
  })

  test('gives no number of a task, attempt or call twice, not even one that was rolled back', async () => {
    await database.pools.jobs.query(`select nextval(pg_get_serial_sequence('call_tasks', 'id'))
      from generate_series(1, 300000)`)
    const attempts = [{ ...claim(40, 1), claimedAtMs: 10 }]
    const imported = await confirmRestored(database.pools, { attempts, stops: [], highestAttempt: 77, nowMs: 20 })
    expect(imported).toEqual({ attempts: 1, stops: 0, lost: [] })
    expect((await restoredState(database.pools)).highestAttempt).toBe(100_077)
    const { rows } =
      await database.pools.jobs.query(`select nextval(pg_get_serial_sequence('call_tasks', 'id')) as task,
      nextval('activity_ids') as activity, (select attempts_counted from call_tasks where id = 1) as counted`)
    expect(rows[0].task).toBeGreaterThan(400_000)
    expect(rows[0].activity).toBeGreaterThan(101_040)
    expect(rows[0].counted).toBe(1)
  })

  test('dials nobody from the moment in which it has its rows, whatever ends the restore then', async () => {
    const other = await makeDatabase(server)
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-dump-'))
    const isStopped = 'select kill_switch as is from dial_state'
    expect((await database.pools.jobs.query(isStopped)).rows).toEqual([{ is: false }])
    await loadDump(other.pools, folder, await dumpDatabase(database.pools, folder, 30))
    expect((await other.pools.jobs.query(isStopped)).rows).toEqual([{ is: true }])
    rmSync(folder, { recursive: true })
    await other.drop()
  })

  test('nobody with whom we talked after the backup is called again, unless they were promised it', async () => {
    const { jobs } = database.pools
    await jobs.query(`
      insert into call_tasks (id, corporation_id, campaign_id, receiver_name, duplicate_key, attempts_max, interval_ms,
        created_at_ms, updated_at_ms, status, next_call_at_ms, callback_at_ms) overriding system value
      select 10 + n, 1, 1, 'Debtor', 'r' || n, 3, 0, 0, 0, case when n in (4, 5) then 'callback' else 'waiting' end, 9,
        case n when 4 then 15 when 5 then 90 end from generate_series(1, 7) n;
      insert into attempts (id, task_id, campaign_id, corporation_id, attempt_number, number, fence, claimed_at_ms,
        ended_at_ms, result, reach, holds_person) overriding system value
      select 90 + n, 10 + n, 1, 1, 1, '', 1, 5, 20, result, 'sent', false
        from (values (6, 'unknown'), (7, 'busy')) v(n, result)`)
    const agent = 'anna' as AgentName
    const ended = { claimedAtMs: 10, answeredAtMs: 12, endedAtMs: 20 }
    const attempts = [
      { ...claim(81, 11), ...ended, talkedWith: agent },
      { ...claim(82, 12), ...ended },
      { ...claim(83, 13), ...ended, talkedWith: agent, result: 'voicemail' as const },
      { ...claim(84, 14), ...ended, talkedWith: agent },
      { ...claim(85, 15), ...ended, talkedWith: agent },
      // The database knows these: under way at the backup, and ended before it.
      { ...claim(96, 16), ...ended, talkedWith: agent },
      { ...claim(97, 17), ...ended, talkedWith: agent },
    ]
    await confirmRestored(database.pools, { attempts, stops: [], highestAttempt: 97, nowMs: 30 })
    const { rows } = await jobs.query(`select array[a.result, a.agent, t.status, t.next_call_at_ms::text] as one
      from attempts a join call_tasks t on t.id = a.task_id where t.id > 10 order by t.id`)
    expect(rows.map(({ one }) => one)).toEqual([
      ['answered', 'anna', 'answered', null],
      ['unknown', null, 'waiting', '9'],
      ['voicemail', 'anna', 'waiting', '9'],
      ['answered', 'anna', 'answered', null],
      ['answered', 'anna', 'callback', '9'],
      ['answered', 'anna', 'answered', null],
      ['busy', null, 'waiting', '9'],
    ])
  })
})
