/** Flows of which random worlds take one: together they use every kind of step. */
import { DEBTOR_FLOW } from './set-up.ts'

/** One team whose callers have two priorities, loops with limits, an outcome of its own. */
const FRONT_DESK = `
flow: front-desk
start: main
limits: { steps: 40, duration: 4m }
onError: sorry
steps:
  main:
    bargeInByVoice: true
    menu:
      prompt: For an order, press 1. For a person, press 0. To hear this again, press 9.
      keys: { "1": orders, "0": anyone, "9": main }
      reprompt: { noInput: "Sorry, I did not hear a key.", invalid: That key has no choice. }
    limit: 6
    on: { failed: anyone, limit: sorry }
  orders:
    queue: { team: collections, priority: 5, whisper: An order., announce: { every: 15s, position: true }, timeout: 2m }
    bargeInByVoice: true
    mark: ordered
    next: main
    on: { failed: sorry }
  anyone:
    queue: { team: collections, announce: { every: 20s, position: true }, timeout: 1m }
    next: bye
    on: { full: sorry, closed: sorry, timeout: main }
  sorry: { play: Nobody can take your call right now., next: bye }
  bye: { hangup: { say: Goodbye., outcome: front-desk } }
`

/** A secret code, a lookup by POST, texts in the middle and after the hang-up, and no way on for failures. */
const CODE = `
flow: code
start: hello
vars: { greeted: false }
activity: { greeted: "\${greeted}" }
onHangup:
  - sms: { text: "Thank you for calling \${call.called}." }
  - http: { post: "\${env.integrator}/gone", body: { call: "\${call.id}" } }
steps:
  hello: { play: Welcome to the code line., next: greet }
  greet: { set: { greeted: true }, next: ask }
  ask:
    gather:
      prompt: Please enter your code, then press hash.
      digits: { min: 2, max: 6 }
      secret: true
      confirm: ["You entered", { digits: "\${code}" }, "If this is right, press 1. To try again, press 2."]
      firstDigitTimeout: 4s
      interDigitTimeout: 2s
      tries: 2
      bargeIn: false
    as: code
    next: check
    on: { failed: help }
  check:
    http:
      get: \${env.integrator}/CaseInfo/\${code}
      auth: \${secret.caseInfo}
      timeout: 3s
      filler: One moment, please.
    as: answer
    next: text
    on: { notFound: ask, failed: help }
  text: { sms: { text: "It is \${answer.caseNumber | default 'unknown'}" }, next: help, on: { failed: help } }
  help: { queue: { team: collections-consumer, timeout: 90s }, next: bye, on: { timeout: bye } }
  bye: { hangup: { say: Goodbye. } }
`

/** The shipped flow comes up as often as the others together. */
export const FLOWS: readonly string[] = [DEBTOR_FLOW, DEBTOR_FLOW, FRONT_DESK, CODE]
