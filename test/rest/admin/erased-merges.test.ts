/** What an erasure takes of cases that were merged, divided into parts, or passed from one contact to another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallId } from '../../../src/kernel/ids.ts'
import { callOf } from '../dialer/dialer-world.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
})
afterAll(() => world.close())

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await world.call(method, path, body, { as: us.as })
  if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
  return reply.body
}

const addContact = async (numbers: readonly object[] = []): Promise<number> => {
  const contact = { corporation: { corpId: OURS }, name1: 'Bo', numbers, extensions: [{}] }
  return (await ask('POST', '/svcems/entity', contact)).extensions[0].eeexId
}
const open = async (description: string, eeexId?: number): Promise<number> => {
  const whose = eeexId === undefined ? {} : { entityExtension: { eeexId } }
  const made = { description, status: 1, corporation: { corpId: OURS }, ...whose }
  return (await ask('POST', '/svcems/case', made)).eactId
}
const comment = (eactId: number, text: string) => ask('POST', '/svcems/activitytexts', { text, activity: { eactId } })
const merge = (eactId: number, into: number) => ask('POST', '/svcems/case', { eactId, mergedTo: { eactId: into } })
const write = (eactId: number, subject: string) =>
  ask('POST', '/svcems/emails', {
    activity: { eactId },
    to: [{ address: 'bo@debtor.example' }],
    subject,
    text: subject,
  })
const erase = (eeexId: number) => ask('POST', '/core/persons/erase', { eeexId, reason: 'request 8' })
/** The cases with all that they say. */
const said = async (...eactIds: number[]) => JSON.stringify(await ask('POST', '/svcems/cases/search', { eactIds }))

test('what a case passed on when it was merged goes with its contact, both ways and along a chain', async () => {
  const eeexId = await addContact()
  const [theirs, middle, end] = [await open('acacia', eeexId), await open('birch'), await open('cedar')]
  const before = await open('dogwood')
  await comment(theirs, 'elder')
  await write(theirs, 'fir')
  await merge(before, theirs)
  await merge(theirs, middle)
  await merge(middle, end)
  const exported = JSON.stringify(await ask('POST', '/core/persons/export', { eeexId, reason: 'request 7' }))
  await erase(eeexId)
  for (const word of ['acacia', 'birch', 'cedar', 'dogwood', 'elder', 'fir']) {
    expect(exported, word).toContain(word)
    expect(await said(before, theirs, middle, end), word).not.toContain(word)
    expect(await ask('POST', '/svcems/cases/search', { text: word }), word).toEqual([])
  }
})

test('a case into which cases of several people were merged stays, as the case of another person does', async () => {
  const [one, other] = [await addContact(), await addContact()]
  const [collected, ofOne, ofOther, owned] = [
    await open('gorse'),
    await open('hazel', one),
    await open('iris', other),
    await open('juniper', other),
  ]
  await comment(ofOther, 'kelp')
  await merge(ofOther, collected)
  await merge(ofOne, collected)
  await merge(await open('larch', one), owned)
  await erase(one)
  const left = await said(collected, ofOther, ofOne, owned)
  for (const word of ['gorse', 'iris', 'juniper', 'kelp']) expect(left, word).toContain(word)
  expect(left).not.toContain('hazel')
})

test('parts of a case go with its contact, and those of another contact stay', async () => {
  const [one, other] = [await addContact(), await addContact()]
  const [whole, part, ofOther] = [await open('maple', one), await open('nettle'), await open('oak', other)]
  for (const from of [part, ofOther]) {
    await ask('PUT', '/svcems/activitylinks', { type: 16, from: { eactId: from }, to: { eactId: whole } })
  }
  await erase(one)
  const left = await said(whole, part, ofOther)
  expect(left).toContain('oak')
  for (const word of ['maple', 'nettle']) expect(left, word).not.toContain(word)
})

test('emails stay in a case that was passed on to another contact', async () => {
  const [one, other] = [await addContact(), await addContact()]
  const passedOn = await open('poplar')
  await write(passedOn, 'quince')
  for (const eeexId of [one, other])
    await ask('POST', '/svcems/case', { eactId: passedOn, entityExtension: { eeexId } })
  await erase(one)
  const [{ eactId }] = await ask('POST', '/svcems/cases/search', { text: 'quince' })
  expect(eactId).toBe(passedOn)
})

test('a call of an unknown number goes with the case that it was put into; that of another contact stays', async () => {
  const number = '+4526100931'
  const [one] = [await addContact(), await addContact([{ number }])]
  const theirs = await open('rowan', one)
  const callers = ['anonymous', number, '+4526100932'].map(async (caller, place) => {
    const call = callOf(`put-${place}` as CallId, 60_000, { direction: 'in', caller, called: '+45' })
    const finished = await world.parts.dialerRepository.finishCall(call)
    if (finished.outcome === 'refused') throw new Error(finished.why)
    await ask('PUT', '/svcems/activitylinks', { type: 14, from: { eactId: finished.activity }, to: { eactId: theirs } })
    return finished.activity
  })
  const [anonymous, ofOther, unknown] = await Promise.all(callers)
  await erase(one)
  const { rows } = await world.pools.jobs.query<{ id: number }>(
    'select id from call_activities where id = any($1) and erased_at_ms is not null order by id',
    [[anonymous, ofOther, unknown]],
  )
  expect(rows.map(({ id }) => id).sort()).toEqual([anonymous, unknown].sort())
})

test('the title of a case that was merged goes with the only address in it, and what others wrote stays', async () => {
  const [alone, into, shared] = [await open('spruce'), await open('thuja'), await open('umbrella pine')]
  const [fromAlone, fromShared] = [await open('viburnum'), await open('willow')]
  const writeTo = (eactId: number, address: string) =>
    ask('POST', '/svcems/emails', { activity: { eactId }, to: [{ address }], subject: 'x', text: 'x' })
  await writeTo(shared, 'eve@debtor.example')
  for (const eactId of [alone, fromAlone, fromShared]) await writeTo(eactId, 'ada@debtor.example')
  await merge(alone, into)
  await merge(fromAlone, into)
  await merge(fromShared, shared)
  await ask('POST', '/core/persons/erase', { email: 'ada@debtor.example', reason: 'request 9' })
  const left = await said(alone, into, shared, fromAlone, fromShared)
  expect(left).toContain('umbrella pine')
  for (const word of ['spruce', 'thuja', 'viburnum', 'willow']) expect(left, word).not.toContain(word)
})
