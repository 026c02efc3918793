import { offerSignOut } from './sign-out.js';

offerSignOut();
