/** The process of one forecast; started by `process-forecaster.ts`. */
import { serveJob } from '../../kernel/job-process.ts'
import { forecastOf } from '../../pacing-sim/forecast-campaign.ts'

serveJob(forecastOf)
