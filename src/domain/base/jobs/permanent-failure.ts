import { AppError } from '../errors.ts';

/**
 * A failure of a job that occurs again at every attempt: the job is not retried. The message is its
 * reason, part of a sentence.
 */
export class PermanentFailure extends AppError {
  constructor(reason: string) {
    super('invalid_request', reason);
    this.name = 'PermanentFailure';
  }
}

/** The uploaded file of a job that was retried when its retention period was over. */
export const partsDeleted = () =>
  new PermanentFailure('the uploaded file was deleted meanwhile; upload it again');
