/** The thread of one forecast; started by `thread-forecaster.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { forecastOf } from '../../pacing-sim/forecast-campaign.ts'
import type { ForecastOrder } from '../../ports/forecaster.ts'

parentPort?.postMessage(forecastOf(workerData as ForecastOrder))
