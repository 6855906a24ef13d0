/**
 * `npm run chaos -- --calls 2000 --kills 10 --asterisk-kills 5 --cuts 20 --seed N [--predictive]`: a campaign on a real
 * switch while the engine and the switch are killed and their line is cut at random moments. Ends with 1 when a rule
 * was broken.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installAsterisk } from '../asterisk/install.ts'
import { runChaos, tableOf } from '../test/e2e/chaos-run.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '10' },
    'asterisk-kills': { type: 'string', default: '5' },
    cuts: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    agents: { type: 'string', default: '8' },
    predictive: { type: 'boolean', default: false },
    tree: { type: 'string', default: '.data/asterisk' },
    /** Leaves everything where it was, to look into. */
    keep: { type: 'boolean', default: false },
  },
})

const onLine = (line: string) => void process.stdout.write(`${line}\n`)
const treeDirectory = resolve(values.tree)
const installed = await installAsterisk(treeDirectory, onLine)
if (!installed.ok) {
  onLine(`${installed.why}\n${installed.remedy}`)
  process.exit(1)
}
const plan = {
  ...{ calls: Number(values.calls), engineKills: Number(values.kills), seed: Number(values.seed) },
  ...{ asteriskKills: Number(values['asterisk-kills']), cuts: Number(values.cuts), agents: Number(values.agents) },
  ...(values.predictive && { mode: 'predictive' as const }),
}
const result = await runChaos(plan, { treeDirectory, onLine, isKept: values.keep })
for (const line of tableOf(result)) onLine(line)
process.exitCode = result.violations.length === 0 ? 0 : 1
