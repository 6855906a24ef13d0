/**
 * What can go wrong with an agent's phone in the browser, as the design of the console lists it row by row, and the
 * test that shows what becomes of it.
 */

/** `test`: the beginning of its name, as the file has it. */
interface FailureTest {
  readonly file: string
  readonly test: string
}

const E2E = 'test/e2e/phones'

export const FAILURES: Readonly<Record<string, FailureTest>> = {
  'page reload, crash of the tab, update of the console': {
    file: `${E2E}/browser-phone.test.ts`,
    test: 'a page that is loaded again in a call keeps the callee',
  },
  'tab closed and not reopened': {
    file: 'test/acd/agent-session.machine.test.ts',
    test: 'the %s of an agent with a browser waits for the grace',
  },
  'SIP websocket cut': {
    file: `${E2E}/browser-phone.test.ts`,
    test: 'a cut SIP connection heals, and the end of the leg is heard after it',
  },
  'console stream cut': {
    file: 'test/console/desk/desk-trouble.real.test.ts',
    test: 'with the stream cut the desk says how old it is, and the keys still act',
  },
  'media gap of less than 5 s': { file: `${E2E}/phone-media.test.ts`, test: 'media is away for 2 s' },
  'media gap of 5 to 15 s': { file: `${E2E}/phone-media.test.ts`, test: 'media is away for %i s and more' },
  'media gap of more than 15 s, network changed': {
    file: `${E2E}/phone-media.test.ts`,
    test: 'media stays away: the callee hears why and is let go',
  },
  'leg ended by the switch': {
    file: `${E2E}/browser-phone.test.ts`,
    test: 'while SIP is away the switch ends the leg, and the phone comes back',
  },
  'laptop sleeps': {
    file: 'test/console/desk/desk-sleep.real.test.ts',
    test: 'an agent whose page sleeps is paused as away',
  },
  'second tab': {
    file: 'test/console/phone-machine.test.ts',
    test: 'locked: another tab has the phone',
  },
  'second computer': {
    file: `${E2E}/browser-phone.test.ts`,
    test: 'a second browser takes the phone over in a call, and the first one is told',
  },
  'no microphone': {
    file: `${E2E}/phone-microphone.test.ts`,
    test: 'a browser without a microphone says so, and nobody is logged in',
  },
  'permission refused': {
    file: `${E2E}/phone-microphone.test.ts`,
    test: '%s: %s; when that is over the phone comes by itself',
  },
  'microphone in use, driver failed': {
    file: `${E2E}/phone-microphone.test.ts`,
    test: '%s: %s; when that is over the phone comes by itself',
  },
  'headset pulled in a call': {
    file: `${E2E}/phone-microphone.test.ts`,
    test: 'a headset that is pulled in a call and put back is heard again, on the same leg',
  },
  muted: {
    file: 'test/console/phone-lives.test.ts',
    test: 'only a person unmutes: whatever happens',
  },
  'one-way audio': {
    file: `${E2E}/phone-media.test.ts`,
    test: 'nothing comes from the other side: the page says which way',
  },
  'poor quality': { file: `${E2E}/phone-quality.test.ts`, test: 'a tenth of the packets lost is told' },
  'background tab, memory saver': {
    file: 'test/rest/stream/silent-pages.test.ts',
    test: 'a page that has answered and does no more is let go',
  },
  'switch restarts': {
    file: `${E2E}/phone-restarts.test.ts`,
    test: 'the switch is killed in five conversations',
  },
  'console deploy': {
    file: 'test/console/desk/new-version.real.test.ts',
    test: 'another build in a call: the page is loaded again when the call is finished',
  },
  'agent logs out in a call': {
    file: 'test/acd/agent-session.machine.test.ts',
    test: 'a log-out requested in a conversation comes after its wrap-up',
  },
}
