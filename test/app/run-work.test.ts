import { expect, test } from 'vitest'
import { RunningWork, type Work } from '../../src/app/run-work.ts'
import { silentLog } from '../../src/kernel/log.ts'

const events: string[] = []
const work = (name: string, start: () => unknown = () => {}): Work => ({
  name,
  start() {
    events.push(`start ${name}`)
    return start()
  },
  stop: () => events.push(`stop ${name}`),
})

test('parts start one after another and stop in reverse order', async () => {
  events.length = 0
  const running = new RunningWork(silentLog)
  const { promise, resolve } = Promise.withResolvers<void>()
  const list = [
    work('a', () => promise),
    work('b', () => events.push(`not running: ${running.notRunning()}`)),
    work('c'),
  ]
  const started = running.start(list)
  expect(running.notRunning()).toEqual(['b', 'c'])
  resolve()
  expect(await started).toBeUndefined()
  expect(running.notRunning()).toEqual([])
  await running.stop()
  expect(running.notRunning()).toEqual(['a', 'b', 'c'])
  expect(events).toEqual(['start a', 'start b', 'not running: c', 'start c', 'stop c', 'stop b', 'stop a'])
})

test('given a part that does not start, the start is refused and goes no further', async () => {
  events.length = 0
  const running = new RunningWork(silentLog)
  const fails = { ...work('a', () => Promise.reject(new Error('the port is taken'))), stage: 'switch' as const }
  const refusal = { ok: false, stage: 'switch', reasons: ['the port is taken'], problems: [] }
  expect(await running.start([fails, work('b')])).toEqual(refusal)
  expect(events).toEqual(['start a'])
})

test('given a stop during the start, no further part starts', async () => {
  events.length = 0
  const running = new RunningWork(silentLog)
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = running.start([work('a', () => promise), work('b')])
  await running.stop()
  resolve()
  expect(await started).toBeUndefined()
  expect(events).toEqual(['start a', 'stop b', 'stop a'])
})
