import { useMutation } from '@tanstack/react-query';
import { call, type Request } from '#web/api.ts';

export type Order = Request<'POST /billing/checkout'>['body'];

/** Redirects to the payment provider, which returns to this page. */
const leaveFor = ({ url }: { url: string }) => location.assign(url);

export const useCheckout = () =>
  useMutation({
    mutationFn: (order: Order) => call('POST /billing/checkout', { body: order }),
    onSuccess: leaveFor,
  });

export const usePortal = () =>
  useMutation({ mutationFn: () => call('POST /billing/portal'), onSuccess: leaveFor });
