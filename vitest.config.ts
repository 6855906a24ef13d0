import { defineConfig } from 'vitest/config'
import { BaseSequencer, type InlineConfig, type TestSpecification } from 'vitest/node'
import { ProgressReporter } from './test/progress-reporter.ts'

/** What lives in real time: real telephones, real mail servers, and the demo on simulated phones. */
const REAL = ['test/**/*.real.test.ts', 'test/e2e/**/*.test.ts', 'test/demo/**/*.test.ts']
/** What a recogniser or Asterisk makes of the sound of telephones: a late packet is another sound (house-13). */
const SOUND = [
  ...['test/e2e/typed-keys.test.ts', 'test/e2e/flows/spoken-digits.test.ts'],
  ...['test/e2e/detection.test.ts', 'test/contract/detection/ari-detection.real.test.ts'],
]
/** A whole Chromium each. */
const BROWSER = ['test/console/**/*.real.test.ts', 'test/demo/visitor.test.ts', 'test/e2e/phones/*.test.ts']
const ACCEPTANCE = ['test/acceptance/*.test.ts']
/** Limits guard against hanging alone: what a test does is bounded by count, however slow the machine is. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } }
/** Half a minute and more each: begun last, one of them would keep everybody waiting. Longest first. */
const LONG = [
  ...['ari-pbx.real', 'board-acts.real', 'e2e/every-call', 'e2e/demo', 'board.real', 'demo/visitor', 'publishing.real'],
  ...['demo/simulated', 'phone-media', 'flows/transfer', 'recorded-callers', 'callers-after-crash'],
  ...['acceptance/flows', 'flow-test-phone.real', 'foreign.real', 'letters.real', 'flows/voices', 'flows/voicemail'],
  ...['wiring.real', 'e2e/campaign', 'payment-on-the-line', 'e2e/faults', 'getting-started'],
  ...['canary.real', 'barge-in', 'acceptance/nodes', 'acceptance/dialing', 'neighbours.real', 'calls.real'],
  ...['e2e/lost-phones', 'mail-servers.real', 'soak/soak', 'second-node.real'],
  ...['weeks/weeks', 'rest/malformed', 'admin/erasure', 'admin/records', 'campaign-day', 'one-person'],
  ...['flow-tutorial', 'e2e/chaos', 'call-acts.real', 'desk-sleep.real', 'desk-trouble.real'],
]

/** The long ones first, in the order of the list. Vitest knows lengths from the run before, a clean checkout has none. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.includes(`${name}.test.ts`))
      return place < 0 ? LONG.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

/** Of `test/run.ts`: progress in a few lines, failures in full, and the counts as a file. */
function reporters(): Pick<InlineConfig, 'reporters'> {
  const { TEST_REPORT: outputFile, TEST_VERBOSE: isVerbose } = process.env
  if (!outputFile) return {}
  const forPeople = isVerbose ? ['verbose'] : ['minimal', new ProgressReporter()]
  return { reporters: [...forPeople, ['json', { outputFile }]] }
}

/** `test/run.ts` runs projects side by side: those of `real` wait most of the time, while the others compute. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // Whatever a picture of a page is kept of, and what leads there: all that `generate:pictures` runs.
    tags: [{ name: 'pictures' }],
    sequence: { sequencer: LongFirst },
    ...reporters(),
    projects: [
      // One process for many files: loading everything anew for each was a third of their time.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...REAL, ...ACCEPTANCE],
          isolate: false,
          ...PATIENT,
          // They take what the others leave of the processors: beside them a minute of work has lasted ten.
          testTimeout: 1_800_000,
        },
      },
      { extends: true, test: { name: 'real', include: REAL, exclude: [...BROWSER, ...SOUND], ...PATIENT } },
      { extends: true, test: { name: 'sound', include: SOUND, ...PATIENT } },
      { extends: true, test: { name: 'browser', include: BROWSER, ...PATIENT } },
      // The contract from outside: one service for all files.
      {
        extends: true,
        test: {
          name: 'acceptance',
          include: ACCEPTANCE,
          globalSetup: 'test/acceptance/place/setup.ts',
          ...PATIENT,
          // Below the rate that the service allows a credential.
          expect: { poll: { timeout: 60_000, interval: 200 } },
        },
      },
    ],
  },
})
