/** Callers of different priorities, and an agent who is logged in: their phone is not rung, it stays up. */
import { expect, test } from 'vitest'
import { CampaignWorld, INBOUND } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const FLOW = `flow: direct
start: who
steps:
  who: { branch: { cases: [{ has: caller.number, next: known }], else: unknown } }
  known: { queue: { team: help, timeout: 30m, priority: 5 }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  unknown: { queue: { team: help, timeout: 30m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

test('a caller of higher priority gets the next free agent, before one who has waited for longer', async () => {
  const world = new CampaignWorld({ teams: { help: ['anna'] }, flow: FLOW })
  await world.start()
  await world.logIn('anna')
  await world.run(5_000)
  const callIn = (hangsUpAfterMs: number, more: object = {}) => {
    const person = { waitsMaxMs: 60 * MINUTE_MS, hangsUpAfterMs }
    return world.pbx.callIn({ called: INBOUND, person, ...more })
  }
  const talks = ({ heard }: ReturnType<typeof callIn>) => heard.some(({ what }) => what === 'person')
  const first = callIn(2 * MINUTE_MS)
  expect(await world.until(() => talks(first), MINUTE_MS)).toBe(true)
  const unknown = callIn(20 * MINUTE_MS)
  await world.run(10_000)
  const known = callIn(5 * MINUTE_MS, { caller: '+4551000001' })
  expect(await world.until(() => talks(known) || talks(unknown), 10 * MINUTE_MS)).toBe(true)
  expect([talks(known), talks(unknown)]).toEqual([true, false])
  expect(await world.until(() => talks(unknown), 10 * MINUTE_MS)).toBe(true)
})
