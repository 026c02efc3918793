import * as z from 'zod';

/** An approver's name, as it stands in payloads and on pages: no control characters, nothing UTF-8 cannot carry. */
const approverIdShape = z
  .string()
  .min(1)
  .max(256)
  .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id));

/** @throws Error with a line for the operator. */
export function checkApproverId(id: string): void {
  if (approverIdShape.safeParse(id).success) return;
  throw new Error('--approver must be 1 to 256 characters without control characters');
}
