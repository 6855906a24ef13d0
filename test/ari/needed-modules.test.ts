/** An Asterisk without a module that the engine needs is refused, by name and with the remedy. */
import { expect, onTestFinished, test } from 'vitest'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { ariPbx } from '../../src/ari/ari-pbx.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { Facts } from './facts.ts'
import { FakeAri } from './fake-ari.ts'

/** Between two looks at an Asterisk that lacks modules. */
const AGAIN_MS = 5_000
const without = (...names: string[]) => NEEDED_MODULES.filter((name) => !names.includes(name))

/** An engine's side of ARI that is not started yet. */
async function world() {
  const fake = await FakeAri.start()
  const clock = new VirtualClock()
  const logged: string[] = []
  const log = makeLog('info', { write: (line: string) => logged.push(line) })
  const files = {
    joinSides: () => Promise.resolve(undefined),
    keepMessage: () => Promise.resolve({ result: 'silent' } as const),
  }
  const pbx = ariPbx({ ...fake.access, ...files, clock, random: seededRandom(1), log })
  const events = new Facts<string>()
  pbx.onEvent(({ type }) => events.add(type))
  const refusals = new Facts<number>()
  const schedule = clock.schedule.bind(clock)
  clock.schedule = (atMs, action) => {
    if (atMs - clock.nowMs() === AGAIN_MS) refusals.add(atMs)
    return schedule(atMs, action)
  }
  onTestFinished(async () => {
    await pbx.stop()
    await fake.stop()
  })
  return { fake, clock, pbx, events, logged, refusals }
}

/** Why the start is refused, after a second look. */
async function whyNot({ pbx, clock, refusals }: Awaited<ReturnType<typeof world>>): Promise<string> {
  const refused = refusals.next()
  const started = pbx.start().then(
    () => 'it started',
    (reason: Error) => reason.message,
  )
  // Whoever starts all the same says so at once.
  await Promise.race([refused, started])
  clock.run(AGAIN_MS)
  return started
}

test('modules that do not run: the start is refused, names them all and says how to load them', async () => {
  const it = await world()
  it.fake.runningModules = without('app_stasis', 'codec_alaw')
  const why = 'does not run these modules: app_stasis, codec_alaw. Load them in its modules.conf'
  expect(await whyNot(it)).toContain(why)
  expect([it.events.all, it.fake.asked('PUT /applications/switchboard/eventFilter')]).toEqual([[], []])
})

test('without the module that tells of modules the start is refused with its name', async () => {
  const it = await world()
  it.fake.replies.set('GET /asterisk/info', { status: 404, body: { message: 'Resource not found' } })
  expect(await whyNot(it)).toContain('modules: res_ari_asterisk')
})

test('given an Asterisk whose last module runs a moment later, the engine starts with it', async () => {
  const { fake, pbx, clock, refusals } = await world()
  fake.runningModules = []
  const refused = refusals.next()
  const started = pbx.start()
  await refused
  fake.runningModules = NEEDED_MODULES
  clock.run(AGAIN_MS)
  expect(await started).toEqual({ kind: 'asterisk', version: '22.10.1' })
})

test('given a restart without a module, the engine comes up only when Asterisk has it again', async () => {
  const { fake, pbx, clock, events, logged, refusals } = await world()
  await pbx.start()
  fake.runningModules = without('chan_pjsip')
  const down = events.next((type) => type === 'pbx.down')
  fake.cut()
  await down
  for (let look = 0; look < 3; look++) {
    const refused = refusals.next()
    clock.run(AGAIN_MS)
    await refused
  }
  expect(logged.filter((line) => line.includes('chan_pjsip'))).toHaveLength(1)
  expect(events.all).toEqual(['pbx.up', 'pbx.down'])
  fake.runningModules = NEEDED_MODULES
  const up = events.next((type) => type === 'pbx.up')
  clock.run(AGAIN_MS)
  await up
})
