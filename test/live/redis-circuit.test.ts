import { expect, test } from 'vitest'
import { RedisCircuitBreaker } from '../../src/live/redis-circuit.ts'
import { classify } from '../../src/live/redis-error.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const AWAY = { trouble: 'away', code: 'no answer' } as const

function failing(times: number) {
  const clock = new VirtualClock()
  const circuit = new RedisCircuitBreaker(clock)
  for (let time = 0; time < times; time++) circuit.failed(AWAY)
  return { clock, circuit }
}

test('occasional failures do not open the circuit', () => {
  const { circuit } = failing(2)
  circuit.worked()
  circuit.failed(AWAY)
  circuit.failed(AWAY)
  expect([circuit.mayAsk(), circuit.trouble]).toEqual([true, undefined])
})

test('three failures in a row open the circuit: one probe each half second, the first success closes it', () => {
  const { clock, circuit } = failing(3)
  expect(circuit.trouble).toEqual(AWAY)
  const probes = Array.from({ length: 20 }, () => {
    clock.run(100)
    return circuit.mayAsk()
  })
  expect(probes.filter(Boolean)).toHaveLength(4)
  circuit.worked()
  expect([circuit.mayAsk(), circuit.mayAsk(), circuit.trouble]).toEqual([true, true, undefined])
})

test('a new connection is probed at once', () => {
  const { clock, circuit } = failing(3)
  clock.run(1_000)
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, false])
  circuit.probeNow()
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, false])
})

test.each([
  ['WRONGPASS invalid username-password pair', 'locked', 'WRONGPASS'],
  ['NOAUTH Authentication required.', 'locked', 'NOAUTH'],
  ["OOM command not allowed when used memory > 'maxmemory'. script: 1f", 'full', 'OOM'],
  ['ERR Error running script (call to f_1f): @user_script:5: -OOM command not allowed', 'full', 'OOM'],
  ["READONLY You can't write against a read only replica.", 'readOnly', 'READONLY'],
  ['LOADING Redis is loading the dataset in memory', 'away', 'LOADING'],
  ['WRONGTYPE Operation against a key', 'odd', 'WRONGTYPE'],
])('the reply %j is %s', (message, trouble, code) => {
  expect(classify(Object.assign(new Error(message), { name: 'ReplyError' }))).toEqual({ trouble, code })
})

test('an error that is no Redis reply counts as an unavailable Redis, whatever its text', () => {
  expect(classify(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toEqual({
    trouble: 'away',
    code: 'ECONNREFUSED',
  })
  expect(classify(undefined)).toEqual(AWAY)
})
