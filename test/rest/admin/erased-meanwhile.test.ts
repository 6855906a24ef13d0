/** What is made about a person while the person is being erased, in two transactions at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendNext } from '../../../src/core/workers/mail-sender.ts'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Sending } from '../../../src/ports/mail.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
})
afterAll(() => world.close())

const ask = (method: string, path: string, body?: unknown) => world.call(method, path, body, { as: us.as })
const waiting = async () => {
  const text = `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`
  return (await world.pools.jobs.query(text)).rows[0].count as number
}
const person = async (name: string) => {
  const made = await ask('POST', '/svcems/entity', { name1: name, entityType: 1, corporation: { corpId: OURS } })
  return made.body.extensions[0].eeexId as number
}
const erase = (eeexId: number) => ask('POST', '/core/persons/erase', { eeexId, reason: 'request 10' })
const titleOf = async (eactId: ActivityId) =>
  (await world.pools.jobs.query('select subject from activities where id = $1', [eactId])).rows[0].subject

/** All numbers of cases are taken by somebody else. */
const NO_NUMBER = `update counters set value = value where corporation_id = ${OURS} and name = 'case'`

/** A request that stands still with its checks behind it, because somebody else holds what it needs. */
async function whileItStands<T>(
  begin: () => Promise<T>,
  meanwhile: () => Promise<void>,
  held: string = NO_NUMBER,
): Promise<T> {
  const other = await world.pools.jobs.connect()
  try {
    await other.query('begin')
    await other.query(held)
    const begun = begin()
    await expect.poll(waiting).toBe(1)
    await meanwhile()
    await other.query('rollback')
    return await begun
  } finally {
    other.release(true)
  }
}

test('a case that is being made about a contact is erased with the contact', async () => {
  const eeexId = await person('Petra')
  const named = { description: 'Petra owes', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  let erased: ReturnType<typeof erase> | undefined
  const { body } = await whileItStands(
    () => ask('POST', '/svcems/case', named),
    async () => {
      let isOver = false
      erased = erase(eeexId).finally(() => {
        isOver = true
      })
      // It waits for the case; without that it would be over, and the case come after it.
      await expect.poll(async () => isOver || (await waiting()) === 2).toBe(true)
    },
  )
  const answer = await erased!
  expect([answer.status, answer.body]).toEqual([200, { calls: 0, activities: 1, callTasks: 0, entities: 1 }])
  expect(await titleOf(body.eactId)).toBe('')
})

test('a contact whose time is over is not erased while a case is being made about it', async () => {
  const eeexId = await person('Poul')
  const old = `update entities set updated_at_ms = 1 where id = (select entity_id from entity_extensions where id = $1)`
  await world.pools.jobs.query(old, [eeexId])
  const named = { description: 'Poul owes', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  let expired: Promise<{ readonly count: number }> | undefined
  const { status } = await whileItStands(
    () => ask('POST', '/svcems/case', named),
    async () => {
      let isOver = false
      expired = world.parts.privacy.expire('contacts', 1_000, 2_000, 10).finally(() => {
        isOver = true
      })
      await expect.poll(async () => isOver || (await waiting()) === 2).toBe(true)
    },
  )
  expect([status, (await expired!).count]).toEqual([200, 0])
})

test('a comment that is being written into a case is erased with the case', async () => {
  const eeexId = await person('Pia')
  const named = { description: 'Pia owes', status: 2, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const { eactId } = (await ask('POST', '/svcems/case', named)).body
  let erased: ReturnType<typeof erase> | undefined
  const comment = { text: 'Pia rang', activity: { eactId }, external: true }
  const { status } = await whileItStands(
    () => ask('POST', '/svcems/activitytexts', comment),
    async () => {
      erased = erase(eeexId)
      await expect.poll(waiting).toBe(2)
    },
    // It logs that the case is open again before it keeps its text.
    'lock table case_logs in share mode',
  )
  expect([status, (await erased!).status]).toEqual([200, 200])
  const { rows } = await world.pools.jobs.query('select text, original from case_texts where case_id = $1', [eactId])
  expect(rows).toEqual([{ text: '', original: '' }])
})

const PETRA = 'petra@debtor.example'
const EVE = 'eve@debtor.example'
/** An email to two people from a case of a contact. */
async function letterTo(name: string) {
  const eeexId = await person(name)
  const named = { description: name, status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const { eactId } = (await ask('POST', '/svcems/case', named)).body
  const to = [{ address: PETRA }, { address: EVE }]
  const { body } = await ask('POST', '/svcems/emails', { activity: { eactId }, to, subject: name, text: name })
  const row = async () =>
    (await world.pools.jobs.query(OUTGOING, [body.eactId])).rows[0] as { state: string } & Record<string, unknown>
  return { eeexId, row }
}
const OUTGOING = `
select state, why, progress, next_at_ms as "nextAtMs", undelivered from outgoing_emails where activity_id = $1`
const NOTHING = { why: null, progress: null, nextAtMs: null, undelivered: [] }

/** What a relay answers, and what is left of the email. */
const ANSWERS: readonly (readonly [Sending, string])[] = [
  [{ outcome: 'refused', why: `550 <${PETRA}> rejected` }, 'failed'],
  [{ outcome: 'later', why: `450 <${PETRA}> not now` }, 'failed'],
  [{ outcome: 'unknown', why: `421 <${PETRA}> good bye` }, 'unknown'],
  [{ outcome: 'sent', refused: [], later: [PETRA] }, 'failed'],
  [{ outcome: 'sent', refused: [PETRA] }, 'sent'],
]

test.each(ANSWERS)('an email that is sent during an erasure keeps no word of %j', async (answer, state) => {
  const send = async (ends: (eeexId: number, answered: (sending: Sending) => void) => Promise<unknown>) => {
    const { eeexId, row } = await letterTo('Pelle')
    const begun = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<Sending>()
    const mail = {
      send: () => {
        begun.resolve()
        return answered.promise
      },
    }
    const { clock, mails, fileStore } = world.parts
    const sending = sendNext({ node: 'node1', clock, mails, fileStore, mail, log: silentLog })
    await begun.promise
    await ends(eeexId, answered.resolve)
    await sending
    expect(await row()).toEqual({ ...NOTHING, state })
  }
  await send(async (eeexId, answered) => {
    expect((await erase(eeexId)).status).toBe(200)
    answered(answer)
  })
  await send(async (eeexId, answered) => {
    const amid = async () => {
      answered(answer)
      await expect.poll(waiting).toBe(2)
    }
    // The erasure has cleared what is known of the sending, and not yet committed it.
    const held = 'select from emails for update'
    expect((await whileItStands(() => erase(eeexId), amid, held)).status).toBe(200)
  })
})
