import { expect, test } from 'vitest'
import { HttpCircuitBreaker } from '../../../src/adapters/http/circuit-breaker.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

function fail(breaker: HttpCircuitBreaker, times: number, host = 'a'): (string | undefined)[] {
  return Array.from({ length: times }, () => breaker.report(host, 'ill'))
}

test('given four failures, requests to the host are allowed; given five, they are refused', () => {
  const breaker = new HttpCircuitBreaker(new VirtualClock())
  expect(fail(breaker, 4)).toEqual([undefined, undefined, undefined, undefined])
  expect(breaker.mayAsk('a')).toBe(true)
  expect(fail(breaker, 1)).toEqual(['opened'])
  expect(breaker.mayAsk('a')).toBe(false)
  expect(breaker.mayAsk('b')).toBe(true)
})

test('given failures more than 30 s apart, they do not add up', () => {
  const clock = new VirtualClock()
  const breaker = new HttpCircuitBreaker(clock)
  fail(breaker, 4)
  clock.run(30_000)
  fail(breaker, 4)
  expect(breaker.mayAsk('a')).toBe(true)
})

test('given a success in between, the failures still add up', () => {
  const breaker = new HttpCircuitBreaker(new VirtualClock())
  fail(breaker, 4)
  breaker.report('a', 'well')
  expect(fail(breaker, 1)).toEqual(['opened'])
})

test('given one failure in ten on a busy host, the circuit stays closed', () => {
  const breaker = new HttpCircuitBreaker(new VirtualClock())
  for (let i = 0; i < 1_000; i++) breaker.report('a', i % 10 === 0 ? 'ill' : 'well')
  expect(breaker.mayAsk('a')).toBe(true)
})

test('given an open circuit, one probe goes through every 10 s until one succeeds', () => {
  const clock = new VirtualClock()
  const breaker = new HttpCircuitBreaker(clock)
  fail(breaker, 5)
  clock.run(9_999)
  expect(breaker.mayAsk('a')).toBe(false)
  clock.run(1)
  expect([breaker.mayAsk('a'), breaker.mayAsk('a')]).toEqual([true, false])
  expect(breaker.report('a', 'ill')).toBeUndefined()
  clock.run(10_000)
  expect([breaker.mayAsk('a'), breaker.mayAsk('a')]).toEqual([true, false])
  expect(breaker.report('a', 'well')).toBe('closed')
  expect([breaker.mayAsk('a'), breaker.mayAsk('a')]).toEqual([true, true])
})

test('given a probe that never ends, the next probe is allowed at its time', () => {
  const clock = new VirtualClock()
  const breaker = new HttpCircuitBreaker(clock)
  fail(breaker, 5)
  clock.run(10_000)
  expect(breaker.mayAsk('a')).toBe(true)
  clock.run(10_000)
  expect(breaker.mayAsk('a')).toBe(true)
})

test('given ever new hosts, the breaker remembers a thousand', () => {
  const breaker = new HttpCircuitBreaker(new VirtualClock())
  for (let i = 0; i < 5_000; i++) fail(breaker, 1, `host-${i}`)
  expect(breaker.size).toBe(1_000)
})
