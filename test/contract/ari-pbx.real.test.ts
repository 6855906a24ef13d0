import { asteriskWorld } from './asterisk-world.ts'
import { pbxContract } from './pbx.contract.ts'

pbxContract('Asterisk', asteriskWorld)
