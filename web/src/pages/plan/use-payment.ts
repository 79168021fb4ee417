import { useMutation } from '@tanstack/react-query';
import { call, type Request } from '../../api.ts';

export type Order = Request<'POST /billing/checkout'>['body'];

/** Paying is done at the provider's; it leads back to this page. */
const leaveFor = ({ url }: { url: string }) => location.assign(url);

export const useCheckout = () =>
  useMutation({
    mutationFn: (order: Order) => call('POST /billing/checkout', { body: order }),
    onSuccess: leaveFor,
  });

export const usePortal = () =>
  useMutation({ mutationFn: () => call('POST /billing/portal'), onSuccess: leaveFor });
