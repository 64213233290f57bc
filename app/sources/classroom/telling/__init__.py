"""What tutors are told of their shifts: reminders and corrections."""
