/** The table of `phone.machine.ts`, row by row: the state, and what the page is told to do. */
import { describe, expect, test } from 'vitest'
import { inCall, leg, live, Rig, registered, sound } from './phone-rig.ts'

describe('the beginning of a shift', () => {
  test('off: Start takes the lock, then the microphone, the credentials and the registration', () => {
    const rig = new Rig().tell('start')
    expect(rig.said()).toEqual(['takeLock false'])
    expect(rig.tell('lock.taken').said()).toEqual(['openMicrophone'])
    expect(rig.view.state).toBe('checking')
    expect(rig.tell('microphone.open').said()).toEqual(['askCredentials false'])
    expect(rig.tell('credentials.given').said()).toEqual(['register'])
    expect(rig.view.state).toBe('registering')
    expect(rig.tell('registered').said()).toEqual(['askFreshLeg'])
    expect(rig.view).toMatchObject({ state: 'legless', failure: undefined })
  })

  test('locked: another tab has the phone; it is used here at the agent’s wish', () => {
    const rig = new Rig().tell('start', 'lock.held')
    expect(rig.view).toMatchObject({ state: 'locked', failure: 'elsewhere' })
    rig.said()
    expect(rig.tell('takeOver').said()).toEqual(['takeLock true'])
    expect(rig.tell('lock.taken', 'microphone.open').said()).toEqual(['openMicrophone', 'askCredentials true'])
  })

  test('locked: another computer has the phone, as the node says', () => {
    const rig = new Rig().tell('start', 'lock.taken', 'microphone.open', 'credentials.elsewhere')
    expect(rig.view.state).toBe('locked')
    expect(rig.said().slice(-3)).toEqual(['terminate', 'unregister', 'closeMicrophone'])
  })

  test.each(['notFound', 'refused', 'inUse', 'failed'] as const)('blocked: the microphone is %s', (why) => {
    const rig = new Rig().tell('start', 'lock.taken', { type: 'microphone.failed', why })
    expect(rig.view).toMatchObject({ state: 'blocked', failure: `microphone.${why}` })
    rig.said()
    expect(rig.tell('devices.changed').said()).toEqual(['openMicrophone'])
    expect(rig.tell('microphone.open').view).toMatchObject({ state: 'registering', failure: undefined })
  })

  test('registering: after 8 s it is lost, and tried again every 2 s', () => {
    const rig = new Rig().tell('start', 'lock.taken', 'microphone.open', 'credentials.given').wait(8_000)
    expect(rig.view).toMatchObject({ state: 'lost', failure: 'signal' })
    rig.said()
    expect(rig.wait(2_000).said()).toEqual(['askCredentials false'])
  })

  test('registering: a phone that was taken once and came late takes nobody else’s later', () => {
    const rig = new Rig().tell('start', 'lock.held', 'takeOver', 'lock.taken', 'microphone.open', 'credentials.given')
    rig.wait(8_000).tell('registered').said()
    expect(rig.tell('registration.refused').said()).toEqual(['askCredentials false'])
  })

  test('registering: a refused password is asked for anew, as after a restart of Asterisk', () => {
    const rig = new Rig().tell('start', 'lock.taken', 'microphone.open', 'credentials.given')
    rig.said()
    expect(rig.tell('registration.refused').said()).toEqual(['askCredentials false'])
  })
})

describe('without a leg', () => {
  test('the announced leg is answered', () => {
    const rig = registered().tell(leg('leg.expected', 'a'), leg('invite', 'a'))
    expect(rig.said()).toEqual(['answer a'])
    expect(rig.view.state).toBe('answering')
  })

  test('an INVITE before its announcement waits for it', () => {
    const rig = registered().tell(leg('invite', 'a'))
    expect(rig.said()).toEqual([])
    expect(rig.wait(900).tell(leg('leg.expected', 'a')).said()).toEqual(['answer a'])
  })

  test('an INVITE that nobody announces is refused and reported', () => {
    const rig = registered().tell(leg('leg.expected', 'a'), leg('invite', 'evil')).wait(1_000)
    expect(rig.said()).toEqual(['refuse evil', 'report strangeInvite'])
    expect(rig.tell(leg('invite', 'a')).said()).toEqual(['answer a'])
  })

  test('a lost connection is made again by the line itself', () => {
    const rig = registered().tell('signal.lost')
    expect(rig.view.state).toBe('registering')
    expect(rig.said()).toEqual([])
    expect(rig.tell('registered').view.state).toBe('legless')
  })

  test('no sound within 5 s of the answer: reported, ended, without a leg', () => {
    const rig = registered().tell(leg('leg.expected', 'a'), leg('invite', 'a'))
    rig.said()
    expect(rig.wait(5_000).said()).toEqual(['report noSound', 'terminate'])
    expect(rig.view.state).toBe('legless')
  })
})

describe('with a leg', () => {
  test('live: the engine ends the leg, whatever SIP says', () => {
    const rig = live().tell(leg('leg.ended', 'a'))
    expect(rig.said()).toEqual(['terminate'])
    expect(rig.view).toMatchObject({ state: 'legless', leg: undefined })
  })

  test('live: a fresh leg is heard before the old one goes', () => {
    const rig = live().tell(leg('leg.expected', 'b'), leg('invite', 'b'))
    expect(rig.said()).toEqual(['answer b'])
    expect(rig.tell(leg('session.connected', 'b')).said()).toEqual(['keepOnly b', 'openSound false'])
    expect(rig.view).toMatchObject({ state: 'live', leg: 'b' })
  })

  test('live: a fresh leg without sound is given up, and the old one goes on', () => {
    const rig = live().tell(leg('leg.expected', 'b'), leg('invite', 'b')).wait(5_000)
    expect(rig.said()).toEqual(['answer b', 'report noSound', 'terminate b', 'openSound false'])
    expect(rig.view).toMatchObject({ state: 'live', leg: 'a' })
  })

  test('deaf: after the registration comes one renegotiation', () => {
    const rig = live().tell('signal.lost')
    expect(rig.view.failure).toBe('deaf')
    expect(rig.tell('registered').said()).toEqual(['renegotiate a'])
    expect(rig.view.failure).toBe('deaf')
    expect(rig.tell('renegotiated').wait(10_000).said()).toEqual([])
    expect(rig.view).toMatchObject({ state: 'live', failure: undefined })
  })

  test.each([['refused', 0] as const, ['unanswered', 2_000] as const])(
    'deaf: a %s renegotiation asks for a fresh leg',
    (how, ms) => {
      const rig = live().tell('signal.lost', 'registered')
      rig.said()
      if (how === 'refused') rig.tell('renegotiation.refused')
      expect(rig.wait(ms).said()).toEqual(['askFreshLeg'])
      expect(rig.view.state).toBe('live')
    },
  )

  test('deaf: a password that is refused meanwhile is asked for anew, and the sound goes on', () => {
    const rig = live().tell('signal.lost', 'registration.refused')
    expect(rig.said()).toEqual(['askCredentials false'])
    expect(rig.view.state).toBe('live')
  })

  test('deaf: a password that the node cannot give now is asked for again, and the sound goes on', () => {
    const rig = live().tell('signal.lost', 'registration.refused', 'credentials.failed')
    rig.said()
    expect(rig.wait(2_000).said()).toEqual(['askCredentials false'])
    expect(rig.tell('credentials.failed').wait(2_000).said()).toEqual(['askCredentials false'])
    expect(rig.view).toMatchObject({ state: 'live', failure: 'deaf' })
  })

  test('deaf: a switch that was started anew has neither the leg nor the password', () => {
    const rig = live().tell('signal.lost')
    rig.said()
    expect(rig.tell(leg('leg.ended', 'a')).said()).toEqual(['terminate', 'askCredentials false'])
    rig.tell('credentials.failed').wait(2_000)
    expect(rig.said()).toEqual(['askCredentials false'])
    expect(rig.tell('credentials.given', 'registered').said()).toEqual(['register', 'askFreshLeg'])
  })

  test('silent: the engine listens whether we are heard, and sound that comes back needs nothing more', () => {
    const rig = inCall().tell(sound('sound.unstable'))
    expect(rig.view.failure).toBe('silent')
    expect(rig.said()).toEqual(['doubt'])
    expect(rig.tell(sound('sound.back')).view.failure).toBeUndefined()
    expect(rig.said()).toEqual([])
  })

  test('silent: an engine that was not reached is asked again, as long as nothing is heard', () => {
    const rig = inCall().tell(sound('sound.unstable'), 'doubt.failed')
    expect(rig.wait(2_000).said()).toEqual(['doubt', 'doubt'])
    expect(rig.tell('doubt.failed').wait(2_000).said()).toEqual(['doubt'])
    expect(rig.wait(10_000).said()).toEqual([])
    expect(rig.view.failure).toBe('silent')
  })

  test('silent: an idle phone asks for a fresh leg at once', () => {
    const rig = live().tell({ type: 'sound.unstable', leg: 'a', way: 'in' })
    expect(rig.view.failure).toBe('silentIn')
    expect(rig.said()).toEqual(['askFreshLeg'])
    rig.tell({ type: 'sound.unstable', leg: 'a', way: 'in' })
    expect(rig.said()).toEqual([])
  })

  test.each(['in', 'out'] as const)('silent: by the counters, nothing comes %s', (way) => {
    const rig = inCall().tell({ type: 'sound.unstable', leg: 'a', way })
    expect(rig.view.failure).toBe(way === 'in' ? 'silentIn' : 'silentOut')
    expect(rig.tell('network.changed').said()).toEqual(['doubt', 'askFreshLeg'])
    expect(rig.tell(sound('sound.back')).view.failure).toBeUndefined()
  })

  test('poor: the figures of ten seconds are read, beside nothing that is worse', () => {
    const poor = (kind: 'loss' | 'delay' | undefined) => ({ type: 'sound.quality', leg: 'a', poor: kind }) as const
    const rig = live().tell(poor('loss'))
    expect(rig.view).toMatchObject({ failure: 'loss', poor: 'loss' })
    expect(rig.tell(sound('sound.unstable')).view.failure).toBe('silent')
    expect(rig.tell(sound('sound.back'), poor('delay')).view.failure).toBe('delay')
    expect(rig.tell(poor(undefined)).view.failure).toBeUndefined()
    expect(live().tell(poor('loss'), leg('leg.ended', 'a')).view.poor).toBeUndefined()
  })

  test('flat: a microphone that gives nothing is read in a call alone, and not by whoever is muted', () => {
    const flat = { type: 'flat', isFlat: true } as const
    const rig = live().tell({ type: 'call', isUp: true }, 'beeped', flat)
    expect(rig.view.failure).toBe('flat')
    expect(rig.tell({ type: 'mute', isMuted: true }).view.failure).toBeUndefined()
    expect(live().tell(flat).view.failure).toBeUndefined()
  })

  test('silent: sound that is gone for good ends our side and asks for a fresh leg', () => {
    const rig = inCall().tell(sound('sound.unstable'), sound('sound.failed'))
    expect(rig.said()).toEqual(['doubt', 'terminate', 'askFreshLeg'])
    expect(rig.view.state).toBe('legless')
  })

  test('the sound of an old leg says nothing about the present one', () => {
    const rig = live().tell(leg('leg.expected', 'b'), leg('invite', 'b'), leg('session.connected', 'b'))
    expect(rig.tell(sound('sound.unstable', 'a')).view.failure).toBeUndefined()
  })

  test('a changed network asks for a fresh leg at once', () => {
    expect(live().tell('network.changed').said()).toEqual(['askFreshLeg'])
  })

  test('a pulled headset is replaced without SIP; without another one, when one is plugged in', () => {
    const rig = live().tell('microphone.lost')
    expect(rig.said()).toEqual(['openMicrophone'])
    rig.tell({ type: 'microphone.failed', why: 'notFound' })
    expect(rig.view).toMatchObject({ state: 'live', failure: 'microphone.missing' })
    expect(rig.tell('devices.changed', 'microphone.open').said()).toEqual(['openMicrophone', 'openSound false'])
    expect(rig.view.failure).toBeUndefined()
  })

  test('a headset that is put back while it is looked for is found; a refusal is asked about once', () => {
    const notFound = { type: 'microphone.failed', why: 'notFound' } as const
    const rig = live().tell('microphone.lost', 'devices.changed', notFound)
    expect(rig.said()).toEqual(['openMicrophone', 'openMicrophone'])
    expect(rig.tell(notFound).said()).toEqual([])
    const begins = () => new Rig().tell('start', 'lock.taken', 'devices.changed')
    expect(begins().tell(notFound).said().slice(1)).toEqual(['openMicrophone', 'openMicrophone'])
    expect(begins().tell(notFound, notFound).view.state).toBe('blocked')
    expect(begins().tell({ type: 'microphone.failed', why: 'refused' }).view.state).toBe('blocked')
  })

  test('a headset that is not there is not forgotten with the next leg: nobody answers without one', () => {
    const missing = () => live().tell('microphone.lost', { type: 'microphone.failed', why: 'notFound' })
    const rig = missing().tell(leg('leg.expected', 'b'), leg('invite', 'b'))
    expect(rig.said()).toEqual(['openMicrophone', 'refuse b'])
    expect(rig.tell(leg('session.ended', 'b')).view).toMatchObject({ leg: 'a', failure: 'microphone.missing' })
    expect(rig.tell('devices.changed', 'microphone.open').view.failure).toBeUndefined()
    // The announcement may come after the INVITE.
    expect(missing().tell(leg('invite', 'b'), leg('leg.expected', 'b')).wait(1_000).said().slice(1)).toEqual([
      'refuse b',
    ])
  })

  test.each([
    ['the engine ends it', leg('leg.ended', 'a')],
    ['its session ends', leg('session.ended', 'a')],
  ])('a headset that is not there when the leg is over (%s) is waited for before a fresh one', (_how, over) => {
    const rig = live().tell('microphone.lost', { type: 'microphone.failed', why: 'notFound' }, over)
    expect(rig.view.state).toBe('checking')
    rig.tell({ type: 'microphone.failed', why: 'notFound' }).said()
    expect(rig.view).toMatchObject({ state: 'blocked', failure: 'microphone.notFound' })
    expect(rig.tell('devices.changed', 'microphone.open', 'credentials.given', 'registered').said()).toEqual([
      'openMicrophone',
      'askCredentials false',
      'register',
      'askFreshLeg',
    ])
  })

  test('a headset that is pulled while a leg is answered is replaced when it is up', () => {
    const answering = () => registered().tell(leg('leg.expected', 'a'), leg('invite', 'a'), 'microphone.lost')
    const rig = answering()
    rig.said()
    expect(rig.tell(leg('session.connected', 'a')).said()).toContain('openMicrophone')
    expect(rig.view).toMatchObject({ state: 'live', failure: 'microphone.missing' })
    expect(rig.tell('microphone.open').view.failure).toBeUndefined()
    expect(answering().wait(5_000).view.state).toBe('checking')
  })

  test('a headset that is pulled while nothing works is looked for before the phone tries again', () => {
    const rig = new Rig().tell('start', 'lock.taken', 'microphone.open', 'credentials.failed')
    expect(rig.tell('microphone.lost').said().at(-1)).toBe('openMicrophone')
    expect(rig.view.state).toBe('checking')
  })

  test('taken: another tab or computer took the phone over', () => {
    const rig = live().tell('taken')
    expect(rig.said()).toEqual(['terminate', 'unregister', 'closeMicrophone'])
    expect(rig.view).toMatchObject({ state: 'locked', failure: 'elsewhere' })
  })

  test('closing: the log-out ends all; the end of the shift says so', () => {
    const rig = live().tell('logOut')
    expect(rig.said()).toEqual(['terminate', 'unregister', 'closeMicrophone', 'endShift'])
    expect(rig.view.failure).toBeUndefined()
    expect(live().tell('shift.over').view).toMatchObject({ state: 'closing', failure: 'shiftOver' })
  })
})

test('legless: a leg that does not come is asked for again, unless one is announced', () => {
  const rig = registered().wait(1_900).tell(leg('leg.expected', 'a')).wait(1_900)
  expect(rig.said()).toEqual([])
  expect(rig.wait(100).said()).toEqual(['askFreshLeg'])
  expect(rig.wait(2_000).said()).toEqual(['askFreshLeg'])
  expect(rig.tell(leg('invite', 'a')).view.state).toBe('answering')
})

describe('the microphone is heard', () => {
  test('in calls alone', () => {
    const rig = live().tell({ type: 'call', isUp: true }, 'beeped', { type: 'call', isUp: false })
    expect(rig.said()).toEqual(['beep', 'openSound true', 'openSound false'])
  })

  test('after the beep of a call that comes, and never if muted', () => {
    const rig = live().tell({ type: 'call', isUp: true }, 'signal.lost', { type: 'mute', isMuted: false })
    expect(rig.said()).toEqual(['beep', 'openSound false'])
    expect(rig.tell({ type: 'mute', isMuted: true }, 'beeped').said()).toEqual(['openSound false', 'openSound false'])
    // What is said again is no other call.
    expect(rig.tell({ type: 'call', isUp: true }).said()).toEqual(['openSound false'])
  })

  test('not by the beep of a call that is over', () => {
    const rig = live().tell({ type: 'call', isUp: true }, { type: 'call', isUp: false }, 'beeped')
    expect(rig.said()).toEqual(['beep', 'openSound false', 'openSound false'])
  })

  test('of an agent who is not muted; nothing but the agent unmutes', () => {
    const rig = live().tell({ type: 'mute', isMuted: true }, { type: 'call', isUp: true }, 'beeped')
    expect(rig.said()).toEqual(['openSound false', 'beep', 'openSound false'])
    rig.tell('signal.lost', 'registered', 'renegotiated', leg('leg.expected', 'b'), leg('invite', 'b'))
    rig.tell(leg('session.connected', 'b'), 'microphone.lost', 'microphone.open')
    expect(rig.said().filter((one) => one.startsWith('openSound'))).toEqual(['openSound false', 'openSound false'])
    expect(rig.tell({ type: 'mute', isMuted: false }).said()).toEqual(['openSound true'])
  })

  test('of a muted agent who speaks, not: they read why, until they are heard or the call is over', () => {
    const muted = () => live().tell({ type: 'mute', isMuted: true }, { type: 'call', isUp: true })
    const voice = { type: 'voice', isHeard: true } as const
    expect(muted().tell(voice).view.failure).toBe('muted')
    expect(muted().tell(voice, { type: 'voice', isHeard: false }).view.failure).toBeUndefined()
    expect(muted().tell(voice, { type: 'mute', isMuted: false }).view.failure).toBeUndefined()
    expect(muted().tell(voice, { type: 'call', isUp: false }).view.failure).toBeUndefined()
    expect(muted().tell(voice, sound('sound.unstable')).view.failure).toBe('silent')
    expect(live().tell({ type: 'call', isUp: true }, 'beeped', voice).view.failure).toBeUndefined()
  })

  test('again, if a node that knows of no mute says so: after a reload, and never after a word of the agent', () => {
    const rig = new Rig({ isMuted: true }).tell({ type: 'call', isUp: true }, 'mute.unsaid')
    expect(rig.said()).toEqual(['openSound false', 'openSound true'])
    rig.tell({ type: 'mute', isMuted: true }, 'mute.unsaid')
    expect(rig.said()).toEqual(['openSound false', 'openSound false'])
  })

  test('not on a page that was loaded again, until the agent or the desk says so', () => {
    const rig = new Rig({ isMuted: true }).tell('start', { type: 'call', isUp: true })
    expect(rig.said()).toEqual(['takeLock false', 'openSound false'])
  })
})
