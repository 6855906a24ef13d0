/** Apart from the others: a packet that comes late makes another print of a greeting (house-13). */
import { asteriskWorld } from '../asterisk-world.ts'
import { pbxContract } from '../pbx.contract.ts'
import { detectionContract } from './detection.contract.ts'

pbxContract('Asterisk', asteriskWorld, [detectionContract])
