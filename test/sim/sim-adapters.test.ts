import { describe, expect, test } from 'vitest'
import type { SmsResult } from '../../src/ports/sms.ts'
import type { WebAnswer, WebRequest } from '../../src/ports/web.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { SimSms } from './sim-sms.ts'
import { SimWeb } from './sim-web.ts'

const GET: WebRequest = {
  method: 'GET',
  url: 'https://integrator.example/CaseInfo/4711?full=1',
  headers: {},
  timeoutMs: 1_000,
}

describe('scripted servers', () => {
  function asked(web: SimWeb, clock: VirtualClock, request = GET): WebAnswer | undefined {
    let got: WebAnswer | undefined
    web.request(request, (answer) => {
      got = answer
    })
    clock.run(request.timeoutMs)
    return got
  }

  test('answer by method and path, in turn, and repeat the last answer', () => {
    const clock = new VirtualClock()
    const web = new SimWeb(clock).on('GET /CaseInfo/4711?full=1', { status: 500 }, { body: { caseNumber: '4711' } })
    const statuses = [1, 2, 3]
      .map(() => asked(web, clock))
      .map((answer) => answer?.outcome === 'answered' && answer.status)
    expect(statuses).toEqual([500, 200, 200])
    expect(web.problems).toEqual([])
    expect(web.count('GET /CaseInfo/4711?full=1')).toBe(3)
  })

  test('time out when the answer takes longer than the client waits', () => {
    const clock = new VirtualClock()
    const web = new SimWeb(clock).on('GET /CaseInfo/4711?full=1', { afterMs: 9_000 })
    expect(asked(web, clock)?.outcome).toBe('timeout')
  })

  test('fail as scripted', () => {
    const clock = new VirtualClock()
    const web = new SimWeb(clock).on('GET /CaseInfo/4711?full=1', { fails: 'tooLarge' })
    expect(asked(web, clock)?.outcome).toBe('tooLarge')
  })

  test('record a problem for every request without a script', () => {
    const clock = new VirtualClock()
    const web = new SimWeb(clock)
    expect(asked(web, clock)?.outcome).toBe('network')
    expect(web.problems).toEqual([expect.stringContaining('GET /CaseInfo/4711?full=1')])
  })

  test('answer nothing to a request that was cancelled', () => {
    const clock = new VirtualClock()
    let answers = 0
    new SimWeb(clock).request(GET, () => answers++).cancel()
    clock.run(10_000)
    expect(answers).toBe(0)
  })
})

describe('a provider of text messages', () => {
  function sent(sms: SimSms, clock: VirtualClock, key: string): SmsResult | undefined {
    let got: SmsResult | undefined
    sms.send({ key, to: '+4551234567', text: 'Pay here' }, (result) => {
      got = result
    })
    clock.run(1_000)
    return got
  }

  test('keeps the message and answers as configured', () => {
    const clock = new VirtualClock()
    const sms = new SimSms(clock)
    expect(sent(sms, clock, 'a')).toMatchObject({ outcome: 'sent' })
    sms.outcome = 'noMobile'
    expect(sent(sms, clock, 'b')).toMatchObject({ outcome: 'noMobile' })
    expect(sms.messages.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(sms.problems).toEqual([])
  })

  test('rejects the same message sent twice', () => {
    const clock = new VirtualClock()
    const sms = new SimSms(clock)
    sent(sms, clock, 'call/step/1')
    sent(sms, clock, 'call/step/1')
    expect(sms.problems).toEqual([expect.stringContaining('call/step/1')])
  })
})

test('speech takes 60 ms a character, at least 300, and can fail', () => {
  const durations: (number | string)[] = []
  const speech = simSpeech((utterance) =>
    'voice' in utterance && utterance.voice === 'xx' ? 'no such voice' : undefined,
  )
  const texts = [
    { text: 'Hi', voice: 'en' },
    { text: 'x'.repeat(100), voice: 'en' },
    { text: 'Hi', voice: 'xx' },
    { pauseMs: 50 },
  ]
  for (const utterance of texts) {
    speech.render(utterance, (result) => durations.push(result.ok ? result.sound.durationMs : result.why))
  }
  expect(durations).toEqual([300, 6_000, 'no such voice', 50])
  expect(speech.said).toEqual(texts)
})
