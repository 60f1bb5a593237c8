"""What is known of hidden hands, and the worlds that agree with it."""
