import { asteriskWorld } from './asterisk-world.ts'
import { BUT_DETECTION, pbxContract } from './pbx.contract.ts'

pbxContract('Asterisk', asteriskWorld, BUT_DETECTION)
